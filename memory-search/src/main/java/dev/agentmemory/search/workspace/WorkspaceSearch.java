package dev.agentmemory.search.workspace;

import dev.agentmemory.api.Search;
import dev.agentmemory.api.SearchReport;
import dev.agentmemory.api.search.Activity;
import dev.agentmemory.api.search.ActivityRequest;
import dev.agentmemory.api.search.Context;
import dev.agentmemory.api.search.ContextRequest;
import dev.agentmemory.api.search.SearchAnswer;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.search.ContextBuilder;
import dev.agentmemory.search.SearchIndex;
import dev.agentmemory.search.Searcher;
import dev.agentmemory.search.Sources;
import dev.agentmemory.search.embed.Embedder;
import dev.agentmemory.search.embed.EmbeddingThread;
import dev.agentmemory.search.memory.MemorySource;
import dev.agentmemory.spi.Job;
import dev.agentmemory.spi.JobControl;
import dev.agentmemory.spi.Projection;
import dev.agentmemory.spi.Schedule;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.OutboxEntry;
import dev.agentmemory.store.StoreReader;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.WorkspaceName;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The index of one store with everything that works on it by itself, and what answers from it. All
/// of it is derived: whatever is wrong here shows in its report, and neither events nor the table
/// of contents wait for it.
public final class WorkspaceSearch implements Search, AutoCloseable {

  /// Name of the index's projection, and of the job that stands for its worker.
  public static final String PROJECTION = IndexFeed.NAME;

  /// The job that stands for all embedding of the store: paused, nothing is embedded.
  public static final String EMBEDDING = "embedding_backfill";

  private static final Logger LOG = LoggerFactory.getLogger(WorkspaceSearch.class);

  /// It reads the whole log. It runs on request only, and the caller can end it.
  private static final Duration LONGEST_REBUILD = Duration.ofDays(1);

  /// A daemon that starts has more urgent work.
  private static final Duration AFTER_START = Duration.ofSeconds(60);

  /// What the job tells where no provider of embeddings is configured.
  private static final Map<String, String> NOTHING_TO_EMBED =
      Map.of("skipped", "no provider of embeddings is configured (search.embeddings = none)");

  private final InstantSource clock;
  private final JobControl control;
  private final MemoryStore store;
  private final IndexPlace place;
  private final IndexFeed feed;
  private final IndexRebuild rebuild;
  private final RelevanceCalibration calibration;
  private final Optional<Embedder> embedder;
  private final EmbeddingThread.Registration registration;
  private final Sources sources;
  private final ToIntFunction<String> tokens;
  private volatile @Nullable Searcher searcher;
  private final List<EmbeddingThread.Registration> others = new CopyOnWriteArrayList<>();
  private volatile MemorySource memories = MemorySource.NONE;

  /// @param control of the scheduler that gets the jobs of the index
  /// @param home the index's folder
  /// @param visible what of the store answers may have
  /// @param embedding gives the events their vectors
  /// @param tokens counts the tokens of a text
  public WorkspaceSearch(
      SystemServices system,
      JobControl control,
      Path home,
      MemoryStore store,
      StoreReader visible,
      EmbeddingThread embedding,
      ToIntFunction<String> tokens) {
    this.clock = system.clock();
    this.control = control;
    this.store = store;
    this.embedder = embedding.embedder();
    this.tokens = tokens;
    this.sources = Sources.of(visible, store);
    this.place = new IndexPlace(home, Sources.of(store), system.ticker());
    this.registration = embedding.join(new Embedding());
    this.feed =
        new IndexFeed(
            system.ticker(),
            store,
            place,
            registration::wake,
            () -> control.trigger(IndexRebuild.NAME));
    this.rebuild = new IndexRebuild(place, system.sleeper(), registration::wake);
    this.calibration = new RelevanceCalibration(clock, store, place, this::searcher, this::status);
  }

  /// Lets searches of the whole store find memories. To be called before the first search: the
  /// memories may need the search themselves, so neither can be made with the other.
  public void useMemories(MemorySource source) {
    memories = source;
  }

  /// Lets the backfill embed what is not indexed by events, too. To be called before [#start].
  public void alsoEmbed(EmbeddingThread.Registration other) {
    others.add(other);
  }

  /// What keeps the index in line with the store.
  public Projection projection() {
    return feed;
  }

  /// @param worker of the projection
  /// @param backfill when events are embedded that an earlier attempt left out
  /// @param calibrating when it is looked whether relevance has to be calibrated
  /// @param timeout of a run
  public List<Job> jobs(
      Schedule.Pausable worker, Schedule backfill, Schedule calibrating, Duration timeout) {
    var jobs = new ArrayList<Job>();
    jobs.add(
        new Job(
            PROJECTION,
            new Schedule.Continuous(worker),
            timeout,
            Map::of,
            () -> nowIf(cursor() < store.outbox().head())));
    jobs.add(
        new Job(
            IndexRebuild.NAME,
            new Schedule.OnRequest(),
            LONGEST_REBUILD,
            rebuild,
            () -> nowIf(owesRebuild())));
    jobs.add(new Job(RelevanceCalibration.NAME, calibrating, timeout, calibration));
    jobs.add(
        embedder.isPresent()
            ? new Job(EMBEDDING, backfill, timeout, new Backfill())
            : new Job(EMBEDDING, new Schedule.OnRequest(), timeout, () -> NOTHING_TO_EMBED));
    return jobs;
  }

  private Optional<Instant> nowIf(boolean waiting) {
    return waiting ? Optional.of(clock.instant()) : Optional.empty();
  }

  /// Plans the backfill; its job must be there.
  public void start() {
    if (embedder.isPresent()) {
      control.plan(EMBEDDING, AFTER_START);
    }
  }

  @Override
  public SearchAnswer search(SearchRequest request) {
    return searcher().search(request);
  }

  /// One for all questions: what it takes texts apart with is not made for nothing.
  private Searcher searcher() {
    SearchIndex index = place.get();
    Searcher there = searcher;
    if (there == null) {
      there = new Searcher(index, sources, embedder, calibration::limit).withMemories(memories);
      searcher = there;
    }
    return there;
  }

  @Override
  public Context context(ContextRequest request) {
    return new ContextBuilder(searcher(), sources, tokens).build(request);
  }

  @Override
  public Activity activity(ActivityRequest request) {
    long head = store.outbox().head();
    return searcher().activity(request).withBehind(Math.max(0, head - cursor()));
  }

  /// Finds what is one workspace's, where several share the store. It finds no memories;
  /// [Searcher#withMemories] adds those of the workspace.
  ///
  /// @param own the store as this workspace sees it
  public Searcher searcher(WorkspaceName workspace, Sources own) {
    return searcher().of(workspace, own);
  }

  @Override
  public SearchReport status() {
    try {
      SearchReport report = place.get().status(embedder);
      return feed.trouble().or(registration::waitsFor).map(report::waitingFor).orElse(report);
    } catch (MemoryException e) {
      return emptyReport(store.outbox().head(), /* complete= */ false)
          .waitingFor(String.valueOf(e.getMessage()));
    }
  }

  /// What one of several workspaces may know: what belongs to no workspace is 0.
  public SearchReport ownStatus() {
    return emptyReport(0, !owesRebuild());
  }

  private SearchReport emptyReport(long behind, boolean complete) {
    Optional<String> model = embedder.map(Embedder::model);
    return new SearchReport(
        behind, 0, 0, 0, 0, model, 0, Optional.empty(), complete, Optional.empty());
  }

  /// Links the files of the index, with everything applied so far, into a new folder.
  public void linkIndex(Path folder) {
    place.get().checkpoint(folder);
  }

  @Override
  public long rebuild() {
    if (place.get().isRebuilding()) {
      throw new MemoryException(
          ErrorCode.CONFLICT,
          "a rebuild of the search index is already running; `memory status` shows its progress");
    }
    return Long.parseLong(control.run(IndexRebuild.NAME).getOrDefault(IndexRebuild.EVENTS, "0"));
  }

  /// Makes the index again in files of its own, after a rebuild that is running: nothing is left of
  /// what the log had before this call.
  public void renew() {
    if (owesRebuild()) {
      // An index that is incomplete is filled up, and keeps its files.
      var _ = control.run(IndexRebuild.NAME);
    }
    var _ = control.run(IndexRebuild.NAME);
  }

  /// Takes events out of the index at once. Their outbox entries do the same later, which also
  /// covers what is being indexed now.
  public void erase(Collection<EventId> events) {
    place.opened().ifPresent(index -> index.erase(events));
  }

  /// Leaves nothing in the files of the index of documents that were taken out or replaced.
  ///
  /// @param nodes that were written or retired; an index that was not open has not heard of them
  public void purge(Collection<NodeId> nodes) {
    place.get().purge(nodes);
  }

  /// Whether there are files that the last purge has replaced: searches read them that have begun
  /// before it.
  public boolean hasFormerFiles() {
    return place.get().hasFormerFiles();
  }

  /// Whether the index is made again now.
  public boolean isRebuilding() {
    return place.opened().filter(SearchIndex::isRebuilding).isPresent();
  }

  /// Applies an entry again that was given up.
  public void retry(OutboxEntry entry) {
    feed.retry(entry);
  }

  /// Entries of the outbox could not be read.
  public void passedOver() {
    feed.passedOver();
  }

  /// Nodes of the table of contents were written or retired. An index that is opened later looks
  /// for them itself.
  public void nodesChanged(Set<NodeId> nodes) {
    place.opened().ifPresent(index -> index.nodesChanged(nodes));
  }

  /// Sequence of the last outbox entry that is safely in the index: entries up to there may be
  /// trimmed. 0 while the index cannot be opened.
  public long durableCursor() {
    return place.opened().map(SearchIndex::durableCursor).orElse(0L);
  }

  /// Sequence of the last outbox entry in the index; 0 while it cannot be opened.
  public long cursor() {
    return place.opened().map(SearchIndex::cursor).orElse(0L);
  }

  /// Size of the files of the index; 0 while it is not open.
  public long bytes() {
    return place.opened().map(SearchIndex::bytes).orElse(0L);
  }

  /// Whether the index does not hold the whole log.
  private boolean owesRebuild() {
    return place.opened().filter(SearchIndex::owesRebuild).isPresent();
  }

  /// Whether events get their vectors now.
  public boolean isEmbedding() {
    return registration.isWorking();
  }

  /// Keeps jobs that take long from holding up a stop; to be called before they are waited for.
  public void stopJobs() {
    rebuild.stop();
    calibration.stop();
  }

  /// Ends what runs, and makes everything durable. What cannot be written comes again. The worker
  /// of the projection is closed first.
  @Override
  public void close() {
    registration.close();
    try {
      place.close();
    } catch (MemoryException e) {
      LOG.warn("the search index could not be closed in good order: {}", e.getMessage());
    }
  }

  private final class Embedding implements EmbeddingThread.Work {

    @Override
    public Optional<String> pausedBecause() {
      if (control.isPaused(EMBEDDING)) {
        return Optional.of("the job " + EMBEDDING + " is paused");
      }
      return place.isApplyingBurst()
          ? Optional.of("the index is processing new events first")
          : Optional.empty();
    }

    @Override
    public int embed(Embedder model, int limit) {
      return place.get().embed(model, limit);
    }
  }

  private final class Backfill implements Job.Body {

    /// Others may need the thread of the job; how it goes is told by the index's report.
    @Override
    public Map<String, String> run() {
      var _ = registration.retry();
      others.forEach(other -> {
        var _ = other.retry();
      });
      return Map.of();
    }

    @Override
    public Map<String, String> runOnRequest() {
      if (control.isPaused(EMBEDDING)) {
        throw new MemoryException(
            ErrorCode.CONFLICT, "it is paused, which pauses embedding; resume it");
      }
      try {
        long memories = 0;
        for (EmbeddingThread.Registration other : others) {
          memories += other.retry().get();
        }
        long events = registration.retry().get();
        return Map.of("events", Long.toString(events), "memories", Long.toString(memories));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new MemoryException(ErrorCode.CLOSED, "stopped while waiting for the embeddings", e);
      } catch (ExecutionException e) {
        throw e.getCause() instanceof MemoryException told
            ? told
            : new MemoryException(ErrorCode.INTERNAL, "embedding failed", e);
      }
    }
  }
}
