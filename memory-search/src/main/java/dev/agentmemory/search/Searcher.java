package dev.agentmemory.search;

import dev.agentmemory.store.EventSlice;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.Span;
import dev.agentmemory.types.TocNode;
import dev.agentmemory.types.WorkspaceName;
import dev.agentmemory.types.search.Filters;
import dev.agentmemory.types.search.Fusion;
import dev.agentmemory.types.search.Hit;
import dev.agentmemory.types.search.Kind;
import dev.agentmemory.types.search.Mode;
import dev.agentmemory.types.search.Parts;
import dev.agentmemory.types.search.Said;
import dev.agentmemory.types.search.SearchAnswer;
import dev.agentmemory.types.search.SearchRequest;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
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
  private static final long PAGE_CHARS = 4_000_000;

  private final SearchIndex index;
  private final Sources sources;
  private final Optional<Embedder> embedder;
  private final Analysis analysis;
  private final Queries queries;
  private final Places places;
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
    this.places = new Places(sources);
    this.owner = owner;
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
    Question question = queries.question(read, filters, words, meaning.vector(), owner);
    List<Found> found = new ArrayList<>();
    Set<Kind> kinds = Narrowing.kinds(filters);
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
    Filters filters = Narrowing.of(request.filters(), read.filters());
    Optional<Span> time = read.hardTime().or(read::time).filter(named -> request.strictTime());
    return time.map(named -> Narrowing.within(filters, named)).orElse(filters);
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
    List<Hit> hits = hits(relevant.subList(from, to), snippets, request);
    List<Found> nearest = relevant(lenient, request).stream().limit(SearchAnswer.MAX_NEAR).toList();
    List<Hit> near = hits(nearest, snippets, request);
    return new SearchAnswer(
        hits,
        to < relevant.size() && to < SearchRequest.MAX_REACH,
        used(request, meaning),
        read.time(),
        meaning.degraded(),
        hits.isEmpty()
            ? Optional.of(why(request, read, filters, found, relevant))
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
        return byWords("the embedding model cannot read the question's script");
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
    return some + " of the events have an embedding; the others are found by words";
  }

  /// Something found, before anything is read of it but its documents.
  private record Found(
      String uid, Kind kind, long time, double score, double relevance, Parts parts, Said said) {}

  private List<Found> events(Question question, Fusion fusion) {
    List<Turn> turns =
        index.read(searcher -> {
          List<Turn> candidates = new TurnSearch(searcher, question).candidates();
          switch (fusion) {
            case WEIGHTED -> Ranking.rank(candidates);
            case RECIPROCAL_RANK -> Ranking.fuseRanks(candidates);
          }
          Map<Turn, float[]> vectors = vectors(searcher, question, candidates);
          return Freshness.newerFirst(
              Twins.without(candidates, vectors, this::statements), vectors, question.terms());
        });
    return turns.stream().map(this::found).toList();
  }

  private static Map<Turn, float[]> vectors(
      IndexSearcher searcher, Question question, List<Turn> ranked) throws IOException {
    return question.vector().isEmpty()
        ? Map.of()
        : Vectors.of(
            searcher,
            question.vector().get().field(),
            ranked.subList(0, Math.min(SearchRequest.MAX_REACH, ranked.size())));
  }

  /// What turns state, as far as they are in the log.
  private Map<Turn, Statement> statements(List<Turn> turns) {
    Map<String, Turn> byId = new HashMap<>();
    List<EventKey> keys = new ArrayList<>();
    for (Turn turn : turns) {
      EventId id = seen(new EventId(turn.uid.utf8ToString()));
      byId.put(id.value(), turn);
      keys.add(SearchIndex.key(turn.time, id.value()));
    }
    Map<Turn, Statement> statements = new HashMap<>();
    for (int from = 0; from < keys.size(); ) {
      EventSlice slice = sources.events().events(keys.subList(from, keys.size()), PAGE_CHARS);
      for (Event event : slice.events()) {
        Turn turn = Objects.requireNonNull(byId.get(event.id().value()), "not asked for");
        Statement.of(event.text()).ifPresent(statement -> statements.put(turn, statement));
      }
      from += slice.keys();
    }
    return statements;
  }

  private Found found(Turn turn) {
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

  /// Summaries that pass.
  private BooleanQuery.Builder summaries(ReadQuery read, Filters filters, Set<Kind> kinds) {
    BooleanQuery.Builder query = new BooleanQuery.Builder();
    query.add(Queries.kinds(kinds), BooleanClause.Occur.FILTER);
    owner.ifPresent(name -> query.add(Queries.of(name), BooleanClause.Occur.FILTER));
    queries
        .summaryFilter(read, filters, owner)
        .ifPresent(filter -> query.add(filter, BooleanClause.Occur.FILTER));
    return query;
  }

  private List<Found> summaries(
      IndexSearcher searcher, ReadQuery read, Filters filters, Set<Kind> kinds) throws IOException {
    Optional<Query> words = queries.summaries(read);
    if (words.isEmpty()) {
      return List.of();
    }
    BooleanQuery.Builder query = summaries(read, filters, kinds);
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

  private List<Hit> hits(List<Found> page, Snippets snippets, SearchRequest request) {
    List<EventKey> keys =
        page.stream()
            .filter(one -> one.kind() == Kind.EVENT)
            .map(one -> SearchIndex.key(one.time(), one.uid()))
            .toList();
    Map<String, Found> byId = new HashMap<>();
    page.forEach(one -> byId.put(one.uid(), one));
    Map<String, Hit> hits = new HashMap<>();
    // Some at a time: events may be long, and little of each is kept.
    for (int from = 0; from < keys.size(); ) {
      EventSlice slice = sources.events().events(keys.subList(from, keys.size()), PAGE_CHARS);
      for (Event event : slice.events()) {
        Found one = Objects.requireNonNull(byId.get(event.id().value()), "not asked for");
        hits.put(one.uid(), hit(one, event, parts(one, request), snippets));
      }
      from += slice.keys();
    }
    for (Found one : page) {
      if (one.kind() != Kind.EVENT) {
        NodeId.parse(one.uid())
            .flatMap(sources.toc()::node)
            .ifPresent(node -> hits.put(one.uid(), hit(one, node, parts(one, request), snippets)));
      }
    }
    return page.stream().map(Found::uid).map(hits::get).filter(Objects::nonNull).toList();
  }

  private static Parts parts(Found one, SearchRequest request) {
    return request.explain() ? one.parts() : one.parts().withoutFeatures();
  }

  private Hit hit(Found one, Event event, Parts parts, Snippets snippets) {
    Places.Place place = places.of(event);
    return new Hit(
        Kind.EVENT,
        Optional.of(event.key()),
        Optional.empty(),
        event.timestamp(),
        Optional.of(event.role()),
        event.agent(),
        Optional.empty(),
        Optional.of(event.session()),
        one.score(),
        one.relevance(),
        parts,
        snippets.of(event.text()),
        place.path(),
        place.grips(),
        one.said());
  }

  private Hit hit(Found one, TocNode node, Parts parts, Snippets snippets) {
    Optional<SessionId> session = places.session(node.id());
    return new Hit(
        one.kind(),
        Optional.empty(),
        Optional.of(node.id()),
        node.span().start(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(node.title()),
        session,
        one.score(),
        one.relevance(),
        parts,
        snippets.of(NodeDocuments.text(node)),
        places.path(node.id()),
        node.grips(),
        Said.once(node.span().start()));
  }

  /// Why there is nothing on the page.
  private String why(
      SearchRequest request,
      ReadQuery read,
      Filters filters,
      List<Found> found,
      List<Found> relevant) {
    if (!relevant.isEmpty()) {
      return request.offset() >= relevant.size()
          ? "there are only " + relevant.size() + " hits"
          : "what was found has been taken out of the log since";
    }
    if (!found.isEmpty()) {
      double best = found.stream().mapToDouble(Found::relevance).max().orElse(0);
      return String.format(
          Locale.ROOT,
          "all %d hits are below the relevance of %.2f that was asked for; the best has %.2f",
          found.size(),
          request.minRelevance(),
          best);
    }
    String partly =
        index.owesRebuild() ? "; the index is being rebuilt and does not hold everything yet" : "";
    if (index.read(searcher -> searcher.count(Queries.events(owner))) == 0) {
      return index.owesRebuild()
          ? "the index is being rebuilt and holds nothing yet"
          : "nothing is indexed yet";
    }
    return unmatched(read, filters) + partly;
  }

  private String unmatched(ReadQuery read, Filters filters) {
    boolean filtered =
        !filters.equals(Filters.NONE) || !read.required().isEmpty() || !read.excluded().isEmpty();
    if (filtered && !anyPasses(read, filters)) {
      return !read.required().isEmpty() && anyPasses(read.lenient(), filters)
          ? "nothing holds " + quoted(read.required()) + " word for word"
          : "nothing passes the filters";
    }
    if (read.text().isBlank() && read.prefixes().isEmpty()) {
      return "the query has no words to look for";
    }
    return filtered
        ? "nothing that passes the filters matches any word of the query"
        : "nothing matches any word of the query";
  }

  private static String quoted(List<String> phrases) {
    return phrases.stream()
        .map(phrase -> '"' + phrase.strip() + '"')
        .collect(Collectors.joining(" and "));
  }

  private boolean anyPasses(ReadQuery read, Filters filters) {
    Set<Kind> kinds = Narrowing.kinds(filters);
    BooleanQuery.Builder events = new BooleanQuery.Builder();
    events.add(Queries.events(owner), BooleanClause.Occur.FILTER);
    queries
        .question(read, filters, false, Optional.empty(), owner)
        .filter()
        .ifPresent(filter -> events.add(filter, BooleanClause.Occur.FILTER));
    Query summaries = summaries(read, filters, kinds).build();
    return index.read(searcher ->
        (kinds.contains(Kind.EVENT) && searcher.count(events.build()) > 0)
            || searcher.count(summaries) > 0);
  }
}
