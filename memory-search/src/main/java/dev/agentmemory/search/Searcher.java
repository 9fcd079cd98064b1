package dev.agentmemory.search;

import dev.agentmemory.api.search.Activity;
import dev.agentmemory.api.search.ActivityRequest;
import dev.agentmemory.api.search.Filters;
import dev.agentmemory.api.search.HitKind;
import dev.agentmemory.api.search.RelevanceThreshold;
import dev.agentmemory.api.search.SearchAnswer;
import dev.agentmemory.api.search.SearchMode;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.search.embed.Embedder;
import dev.agentmemory.search.internal.index.DayCounts;
import dev.agentmemory.search.internal.index.EventDocuments;
import dev.agentmemory.search.internal.index.IndexView;
import dev.agentmemory.search.internal.index.Vectors;
import dev.agentmemory.search.internal.query.Queries;
import dev.agentmemory.search.internal.query.Question;
import dev.agentmemory.search.internal.query.ReadQuery;
import dev.agentmemory.search.internal.query.RequestReader;
import dev.agentmemory.search.internal.rank.EventSearch;
import dev.agentmemory.search.internal.rank.Found;
import dev.agentmemory.search.internal.rank.SummarySearch;
import dev.agentmemory.search.internal.text.Analysis;
import dev.agentmemory.search.memory.MemoryMatches;
import dev.agentmemory.search.memory.MemorySource;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.WorkspaceName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.DoubleSupplier;

/// Answers questions from an index, in three steps: [RequestReader] reads the request,
/// [EventSearch], [SummarySearch] and a source of memories find, [AnswerBuilder] makes the answer.
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
  private final Sources sources;
  private final MemoryHits memories;
  private final DoubleSupplier foreign;

  /// A searcher that finds no memories, in an index that was not calibrated.
  ///
  /// @param embedder what gave the events their vectors; without one everything is found by words
  public Searcher(SearchIndex index, Sources sources, Optional<Embedder> embedder) {
    this(index, sources, embedder, () -> 0);
  }

  /// A searcher that finds no memories.
  ///
  /// @param embedder what gave the events their vectors; without one everything is found by words
  /// @param foreign relevance that the best hits of questions about other things have, 0 to 1; 0
  ///   while it is not known
  public Searcher(
      SearchIndex index, Sources sources, Optional<Embedder> embedder, DoubleSupplier foreign) {
    this(
        index.view(),
        sources,
        embedder,
        new Analysis(),
        Optional.empty(),
        MemorySource.NONE,
        foreign);
  }

  private Searcher(
      IndexView index,
      Sources sources,
      Optional<Embedder> embedder,
      Analysis analysis,
      Optional<WorkspaceName> owner,
      MemorySource memories,
      DoubleSupplier foreign) {
    var queries = new Queries(analysis);
    this.index = index;
    this.sources = sources;
    this.memories = new MemoryHits(memories);
    this.foreign = foreign;
    this.embedder = embedder;
    this.analysis = analysis;
    this.owner = owner;
    this.requests = new RequestReader(index, sources.zone(), embedder, owner);
    this.events = new EventSearch(index, queries, sources.events());
    this.summaries = new SummarySearch(index, queries);
    this.answers =
        new AnswerBuilder(
            sources,
            new HitLocator(sources),
            new NothingFound(index, queries),
            new CoverageCounts(index, queries),
            analysis);
  }

  /// The same for one workspace of a store that several share: nothing but what is this one's is
  /// found, counted and scored by, under ids that do not name it. It finds no memories, and nothing
  /// is calibrated for it. Costs next to nothing.
  ///
  /// @param own the store as this workspace sees it
  public Searcher of(WorkspaceName workspace, Sources own) {
    return new Searcher(
        index.of(workspace),
        own,
        embedder,
        analysis,
        Optional.of(workspace),
        MemorySource.NONE,
        () -> 0);
  }

  /// The same with memories. Costs next to nothing.
  ///
  /// @param found those of the workspace that asks
  public Searcher withMemories(MemorySource found) {
    return new Searcher(index, sources, embedder, analysis, owner, found, foreign);
  }

  /// Finds what answers a question. Counts as access to the memories that the answer shows, unless
  /// it explains its scores.
  ///
  /// @throws dev.agentmemory.types.MemoryException `STORAGE_FAILED` when the index cannot be read
  public SearchAnswer search(SearchRequest request) {
    SearchAnswer answer = answer(request);
    if (!request.explain()) {
      accessed(answer.hits().stream().flatMap(hit -> hit.memory().stream()).toList());
    }
    return answer;
  }

  /// Finds what answers a question, without counting as access.
  SearchAnswer answer(SearchRequest request) {
    Question question = calibrated(requests.read(request));
    Result result = find(question);
    // A page behind the last hit has hits before it.
    boolean near = result.found().isEmpty() && !question.read().required().isEmpty();
    return answers.build(
        question,
        result.used(),
        result.found(),
        result.memories().degraded(question.degraded()),
        near ? find(question.lenient()).found() : List.of());
  }

  private Question calibrated(Question question) {
    RelevanceThreshold threshold = question.request().threshold();
    // Filters leave fewer events, among which the best of other things is less relevant.
    return threshold.calibrated() && question.filters().withKinds(Set.of()).equals(Filters.NONE)
        ? question.with(threshold.raised(foreign.getAsDouble()))
        : question;
  }

  /// How relevant the best event is of those that do not have every word of a question.
  ///
  /// @return empty when one has every word, or none is found
  public OptionalDouble bestRelevance(SearchRequest request) {
    List<Found> found = events.find(requests.read(request));
    return found.stream().anyMatch(Found::complete)
        ? OptionalDouble.empty()
        : found.stream().mapToDouble(Found::relevance).max();
  }

  /// @param used by what was searched
  /// @param found the best first
  /// @param memories those among them
  private record Result(SearchMode used, List<Found> found, MemoryMatches memories) {}

  private Result find(Question question) {
    Set<HitKind> kinds = question.kinds();
    SearchMode used = question.used();
    List<Found> found = new ArrayList<>();
    if (kinds.contains(HitKind.EVENT)) {
      found.addAll(events.find(question));
    }
    boolean mixed = false;
    if (kinds.contains(HitKind.SEGMENT) || kinds.contains(HitKind.ROLLUP)) {
      found.addAll(summaries.find(question));
      mixed = true;
    }
    MemoryMatches matches = MemoryMatches.NONE;
    if (kinds.contains(HitKind.MEMORY)) {
      matches = memories.find(question);
      matches.memories().forEach(memory -> found.add(Found.of(memory)));
      boolean alone = kinds.size() == 1;
      used = alone ? used(question, matches) : used;
      // The order of memories among themselves is that of their source.
      mixed |= !alone && !matches.memories().isEmpty();
    }
    if (mixed) {
      found.sort(Comparator.comparingDouble((Found one) -> -one.relevance()));
    }
    return new Result(used, found, matches);
  }

  private static SearchMode used(Question question, MemoryMatches matches) {
    if (matches.textOnly()) {
      return SearchMode.LEXICAL;
    }
    return question.request().mode() == SearchMode.SEMANTIC
        ? SearchMode.SEMANTIC
        : SearchMode.HYBRID;
  }

  /// Counts the events of each day of a year.
  ///
  /// @throws dev.agentmemory.types.MemoryException `STORAGE_FAILED` when the index cannot be read
  public Activity activity(ActivityRequest request) {
    boolean complete = index.isComplete();
    var counts = new DayCounts(request.yearIn(sources.zone()), sources.zone(), owner);
    return index.read(counts::of).activity(complete);
  }

  /// The memories that match a request, whatever kinds it asks for. Does not count as access.
  ///
  /// @param filters of the request and of its text together
  MemoryMatches memories(SearchRequest request, ReadQuery read, Filters filters, int limit) {
    return memories.find(request, read, filters, limit);
  }

  /// Counts an access to memories that are shown.
  void accessed(List<MemoryId> shown) {
    if (!shown.isEmpty()) {
      memories.source().accessed(shown);
    }
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
