package dev.agentmemory.search;

import dev.agentmemory.api.search.Kind;
import dev.agentmemory.api.search.SearchAnswer;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.search.embed.Embedder;
import dev.agentmemory.search.internal.index.EventDocuments;
import dev.agentmemory.search.internal.index.IndexView;
import dev.agentmemory.search.internal.index.Vectors;
import dev.agentmemory.search.internal.query.Queries;
import dev.agentmemory.search.internal.query.Question;
import dev.agentmemory.search.internal.query.RequestReader;
import dev.agentmemory.search.internal.rank.EventSearch;
import dev.agentmemory.search.internal.rank.Found;
import dev.agentmemory.search.internal.rank.SummarySearch;
import dev.agentmemory.search.internal.text.Analysis;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Answers questions from an index, in three steps: [RequestReader] reads the request,
/// [EventSearch] and [SummarySearch] find, [AnswerBuilder] makes the answer.
///
/// Any thread may call it; a thread that must not block should not, as disks are read.
public final class Searcher {

  private final IndexView index;
  private final Optional<Embedder> embedder;
  private final Analysis analysis;
  private final Optional<WorkspaceName> owner;
  private final RequestReader requests;
  private final EventSearch events;
  private final SummarySearch summaries;
  private final AnswerBuilder answers;

  /// @param embedder what gave the events their vectors; without one everything is found by words
  public Searcher(SearchIndex index, Sources sources, Optional<Embedder> embedder) {
    this(index.view(), sources, embedder, new Analysis(), Optional.empty());
  }

  private Searcher(
      IndexView index,
      Sources sources,
      Optional<Embedder> embedder,
      Analysis analysis,
      Optional<WorkspaceName> owner) {
    var queries = new Queries(analysis);
    this.index = index;
    this.embedder = embedder;
    this.analysis = analysis;
    this.owner = owner;
    this.requests = new RequestReader(index, sources.zone(), embedder, owner);
    this.events = new EventSearch(index, queries, sources.events());
    this.summaries = new SummarySearch(index, queries);
    this.answers =
        new AnswerBuilder(
            sources, new HitLocator(sources), new NothingFound(index, queries), analysis);
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
    Question question = requests.read(request);
    List<Found> found = find(question);
    // A page behind the last hit has hits before it.
    boolean near = found.isEmpty() && !question.read().required().isEmpty();
    return answers.build(question, found, near ? find(question.lenient()) : List.of());
  }

  /// The best first.
  private List<Found> find(Question question) {
    Set<Kind> kinds = question.kinds();
    List<Found> found = new ArrayList<>();
    if (kinds.contains(Kind.EVENT)) {
      found.addAll(events.find(question));
    }
    if (kinds.contains(Kind.SEGMENT) || kinds.contains(Kind.ROLLUP)) {
      found.addAll(summaries.find(question));
      found.sort(Comparator.comparingDouble((Found one) -> -one.relevance()));
    }
    return found;
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
    Map<String, EventId> byUid = new HashMap<>();
    ids.forEach(id -> byUid.put(owner.map(id::in).orElse(id).value(), id));
    Map<String, EventDocuments.Vector> vectors =
        index.read(searcher -> Vectors.of(searcher, byUid.keySet()));
    Map<EventId, float[]> found = new HashMap<>();
    byUid.forEach((uid, id) -> {
      EventDocuments.Vector vector = vectors.get(uid);
      if (vector != null && vector.field().equals(field.get())) {
        found.put(id, vector.values());
      }
    });
    return found;
  }
}
