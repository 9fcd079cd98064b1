package dev.agentmemory.search;

import dev.agentmemory.api.search.Filters;
import dev.agentmemory.api.search.Fusion;
import dev.agentmemory.api.search.Hit;
import dev.agentmemory.api.search.Kind;
import dev.agentmemory.api.search.Mode;
import dev.agentmemory.api.search.Parts;
import dev.agentmemory.api.search.Said;
import dev.agentmemory.api.search.SearchAnswer;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.search.embed.Embedder;
import dev.agentmemory.search.internal.index.EventDocuments;
import dev.agentmemory.search.internal.index.NodeDocuments;
import dev.agentmemory.search.internal.query.FilterMerge;
import dev.agentmemory.search.internal.query.IndexQuery;
import dev.agentmemory.search.internal.query.Queries;
import dev.agentmemory.search.internal.query.QueryReader;
import dev.agentmemory.search.internal.query.ReadQuery;
import dev.agentmemory.search.internal.rank.CandidateTurn;
import dev.agentmemory.search.internal.rank.Feature;
import dev.agentmemory.search.internal.rank.Freshness;
import dev.agentmemory.search.internal.rank.NearDuplicates;
import dev.agentmemory.search.internal.rank.Ranking;
import dev.agentmemory.search.internal.rank.Relevance;
import dev.agentmemory.search.internal.rank.TurnSearch;
import dev.agentmemory.search.internal.rank.Vectors;
import dev.agentmemory.search.internal.text.Analysis;
import dev.agentmemory.search.internal.text.Snippets;
import dev.agentmemory.store.EventSlice;
import dev.agentmemory.text.StatementIdentity;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Span;
import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.jspecify.annotations.Nullable;

/// Answers questions from an index. Any thread may call it; a thread that must not block should
/// not, as disks are read.
public final class Searcher {

  /// Weight of the events that are held at once, by [Event#chars].
  static final long PAGE_CHARS = 4_000_000;

  private final SearchIndex index;
  private final Sources sources;
  private final Optional<Embedder> embedder;
  private final Analysis analysis;
  private final Queries queries;
  private final FoundHits hits;
  private final NothingFound nothing;
  private final Optional<WorkspaceName> owner;

  /// @param embedder what gave the events their vectors; without one everything is found by words
  public Searcher(SearchIndex index, Sources sources, Optional<Embedder> embedder) {
    this(index, sources, embedder, new Analysis(), Optional.empty());
  }

  private Searcher(
      SearchIndex index,
      Sources sources,
      Optional<Embedder> embedder,
      Analysis analysis,
      Optional<WorkspaceName> owner) {
    this.index = index;
    this.sources = sources;
    this.embedder = embedder;
    this.analysis = analysis;
    this.queries = new Queries(analysis);
    this.owner = owner;
    this.hits = new FoundHits(sources);
    this.nothing = new NothingFound(index, queries, owner);
  }

  /// The same for one workspace of a store that several share: nothing but what is this one's is
  /// found and counted, under ids that do not name it. Costs next to nothing.
  ///
  /// @param own the store as this workspace sees it
  public Searcher of(WorkspaceName workspace, Sources own) {
    return new Searcher(index, own, embedder, analysis, Optional.of(workspace));
  }

  /// Finds what answers a question.
  ///
  /// @throws dev.agentmemory.types.MemoryException `STORAGE_FAILED` when the index cannot be read
  public SearchAnswer search(SearchRequest request) {
    ReadQuery read = QueryReader.read(request.query(), sources.zone(), request.now());
    Filters filters = filters(request, read);
    Meaning meaning = meaning(request, read);
    List<Found> found = found(request, read, filters, meaning);
    // A page behind the last hit has hits before it.
    boolean near = found.isEmpty() && !read.required().isEmpty();
    return answer(
        request,
        read,
        filters,
        found,
        meaning,
        near ? found(request, read.lenient(), filters, meaning) : List.of());
  }

  /// The best first.
  private List<Found> found(
      SearchRequest request, ReadQuery read, Filters filters, Meaning meaning) {
    boolean words = request.mode() != Mode.SEMANTIC || meaning.vector().isEmpty();
    IndexQuery question = queries.question(read, filters, words, meaning.vector(), owner);
    List<Found> found = new ArrayList<>();
    Set<Kind> kinds = FilterMerge.kinds(filters);
    if (kinds.contains(Kind.EVENT)) {
      found.addAll(events(question, request.fusion()));
    }
    if (kinds.contains(Kind.SEGMENT) || kinds.contains(Kind.ROLLUP)) {
      found.addAll(index.read(searcher -> summaries(searcher, read, filters, kinds)));
      found.sort(Comparator.comparingDouble((Found one) -> -one.relevance()));
    }
    return found;
  }

  private static Filters filters(SearchRequest request, ReadQuery read) {
    Filters filters = FilterMerge.of(request.filters(), read.filters());
    Optional<Span> time = read.hardTime().or(read::time).filter(named -> request.strictTime());
    return time.map(named -> FilterMerge.within(filters, named)).orElse(filters);
  }

  private SearchAnswer answer(
      SearchRequest request,
      ReadQuery read,
      Filters filters,
      List<Found> found,
      Meaning meaning,
      List<Found> lenient) {
    List<Found> relevant = relevant(found, request);
    int from = Math.min(request.offset(), relevant.size());
    int to = Math.min(from + request.limit(), relevant.size());
    Snippets snippets = new Snippets(analysis, read.text());
    List<Hit> page = hits.of(relevant.subList(from, to), snippets, request.explain());
    List<Found> nearest = relevant(lenient, request).stream().limit(SearchAnswer.MAX_NEAR).toList();
    List<Hit> near = hits.of(nearest, snippets, request.explain());
    return new SearchAnswer(
        page,
        to < relevant.size() && to < SearchRequest.MAX_REACH,
        used(request, meaning),
        read.time(),
        meaning.degraded(),
        page.isEmpty()
            ? Optional.of(nothing.why(request, read, filters, found, relevant))
            : Optional.empty(),
        near);
  }

  private static List<Found> relevant(List<Found> found, SearchRequest request) {
    return found.stream().filter(one -> one.relevance() >= request.minRelevance()).toList();
  }

  /// The vectors of those events that have one of this searcher's model; none when the model cannot
  /// be asked what its vectors are like.
  Map<EventId, float[]> vectors(List<EventId> ids) {
    Optional<String> field;
    try {
      field = embedder.map(EventDocuments.Vector::field);
    } catch (MemoryException unknown) {
      return Map.of();
    }
    if (field.isEmpty()) {
      return Map.of();
    }
    List<EventId> kept = ids.stream().map(id -> owner.map(id::in).orElse(id)).toList();
    Map<EventId, float[]> found = new HashMap<>();
    index
        .read(searcher -> Vectors.of(searcher, kept))
        .forEach((id, vector) -> {
          if (vector.field().equals(field.get())) {
            found.put(seen(new EventId(id)), vector.values());
          }
        });
    return found;
  }

  private static Mode used(SearchRequest request, Meaning meaning) {
    if (meaning.vector().isEmpty()) {
      return Mode.LEXICAL;
    }
    return request.mode() == Mode.SEMANTIC ? Mode.SEMANTIC : Mode.HYBRID;
  }

  /// What finds by meaning, or why nothing can.
  private record Meaning(Optional<EventDocuments.Vector> vector, Optional<String> degraded) {}

  private Meaning meaning(SearchRequest request, ReadQuery read) {
    if (request.mode() == Mode.LEXICAL || read.text().isBlank()) {
      return new Meaning(Optional.empty(), Optional.empty());
    }
    if (embedder.isEmpty()) {
      return request.mode() == Mode.AUTO
          ? new Meaning(Optional.empty(), Optional.empty())
          : byWords("no embedding model is configured");
    }
    String field;
    try {
      if (!embedder.get().reads(read.text())) {
        return byWords("the embedding model does not support the script of the query");
      }
      field = EventDocuments.Vector.field(embedder.get());
    } catch (MemoryException e) {
      return byWords(e.getMessage());
    }
    double share = index.share(field);
    if (share == 0) {
      return byWords("no event has an embedding yet");
    }
    try {
      float[] values = embedder.get().query(read.text());
      Optional<String> degraded =
          share >= Vectors.NEARLY_ALL ? Optional.empty() : Optional.of(lacking(share));
      return new Meaning(Optional.of(new EventDocuments.Vector(field, values)), degraded);
    } catch (MemoryException e) {
      return byWords(e.getMessage());
    }
  }

  private static Meaning byWords(@Nullable String why) {
    return new Meaning(Optional.empty(), Optional.of("searched by words: " + why));
  }

  /// How many have one is nobody's business who shares the store with others.
  private String lacking(double share) {
    String some = owner.isPresent() ? "not all" : Math.round(share * 100) + "%";
    return some + " of the events have an embedding; the others are searched by words";
  }

  private List<Found> events(IndexQuery question, Fusion fusion) {
    List<CandidateTurn> turns =
        index.read(searcher -> {
          List<CandidateTurn> candidates = new TurnSearch(searcher, question).candidates();
          return switch (fusion) {
            case WEIGHTED -> {
              Ranking.rank(candidates);
              Map<CandidateTurn, float[]> vectors = vectors(searcher, question, candidates);
              List<CandidateTurn> merged =
                  NearDuplicates.without(candidates, vectors, this::statements);
              yield Freshness.newerFirst(merged, vectors, question.terms());
            }
            case RECIPROCAL_RANK -> {
              // Who asks for it wants the order of the two lists and no other.
              Ranking.fuseRanks(candidates);
              Map<CandidateTurn, float[]> vectors = vectors(searcher, question, candidates);
              yield NearDuplicates.without(candidates, vectors, this::statements);
            }
          };
        });
    return turns.stream().map(this::found).toList();
  }

  private static Map<CandidateTurn, float[]> vectors(
      IndexSearcher searcher, IndexQuery question, List<CandidateTurn> ranked) throws IOException {
    return question.vector().isEmpty()
        ? Map.of()
        : Vectors.of(
            searcher,
            question.vector().get().field(),
            ranked.subList(0, Math.min(SearchRequest.MAX_REACH, ranked.size())));
  }

  /// What turns state, as far as they are in the log.
  private Map<CandidateTurn, StatementIdentity> statements(List<CandidateTurn> turns) {
    Map<String, CandidateTurn> byId = new HashMap<>();
    List<EventKey> keys = new ArrayList<>();
    for (CandidateTurn turn : turns) {
      EventId id = seen(new EventId(turn.uid.utf8ToString()));
      byId.put(id.value(), turn);
      keys.add(EventDocuments.key(turn.time, id.value()));
    }
    Map<CandidateTurn, StatementIdentity> statements = new HashMap<>();
    for (int from = 0; from < keys.size(); ) {
      EventSlice slice = sources.events().events(keys.subList(from, keys.size()), PAGE_CHARS);
      for (Event event : slice.events()) {
        CandidateTurn turn = Objects.requireNonNull(byId.get(event.id().value()), "not asked for");
        StatementIdentity.of(event.text()).ifPresent(statement -> statements.put(turn, statement));
      }
      from += slice.keys();
    }
    return statements;
  }

  private Found found(CandidateTurn turn) {
    Parts parts =
        new Parts(
            rank(turn.lexicalRank),
            rank(turn.semanticRank),
            turn.get(Feature.TURN),
            Double.isNaN(turn.cosine) ? 0 : turn.cosine,
            turn.get(Feature.TIME),
            1,
            Ranking.explained(turn));
    return new Found(
        seen(new EventId(turn.uid.utf8ToString())).value(),
        Kind.EVENT,
        turn.time,
        turn.score,
        turn.relevance,
        parts,
        new Said(turn.times, Instant.ofEpochMilli(turn.since)));
  }

  /// The id under which the asker knows the event.
  private EventId seen(EventId id) {
    return owner.isPresent() ? id.plain() : id;
  }

  private NodeId seen(NodeId id) {
    return owner.isPresent() ? id.plain() : id;
  }

  private static OptionalInt rank(int rank) {
    return rank == 0 ? OptionalInt.empty() : OptionalInt.of(rank);
  }

  private List<Found> summaries(
      IndexSearcher searcher, ReadQuery read, Filters filters, Set<Kind> kinds) throws IOException {
    Optional<Query> words = queries.summaries(read);
    if (words.isEmpty()) {
      return List.of();
    }
    BooleanQuery.Builder query = queries.summariesThatPass(read, filters, kinds, owner);
    query.add(words.get(), BooleanClause.Occur.MUST);
    ScoreDoc[] hits = searcher.search(query.build(), SearchRequest.MAX_REACH).scoreDocs;
    List<Found> found = new ArrayList<>();
    for (int i = 0; i < hits.length; i++) {
      Vectors.Place place = Vectors.place(searcher.getIndexReader(), hits[i].doc);
      double score = hits[i].score;
      Parts parts = new Parts(OptionalInt.of(i + 1), OptionalInt.empty(), score, 0, 0, 1, Map.of());
      NodeId id = seen(NodeId.parse(place.uid()).orElseThrow());
      Kind kind =
          NodeDocuments.kind(id.level()).equals(NodeDocuments.SEGMENT) ? Kind.SEGMENT : Kind.ROLLUP;
      found.add(
          new Found(
              id.value(),
              kind,
              place.time(),
              score,
              Relevance.ofSummary(score),
              parts,
              Said.once(Instant.ofEpochMilli(place.time()))));
    }
    return found;
  }
}
