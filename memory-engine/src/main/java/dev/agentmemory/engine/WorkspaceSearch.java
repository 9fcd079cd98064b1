package dev.agentmemory.engine;

import dev.agentmemory.api.Search;
import dev.agentmemory.api.SearchReport;
import dev.agentmemory.api.search.Context;
import dev.agentmemory.api.search.ContextRequest;
import dev.agentmemory.api.search.SearchAnswer;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.pipeline.OutboxWorker;
import dev.agentmemory.pipeline.WorkerConfig;
import dev.agentmemory.search.ContextBuilder;
import dev.agentmemory.search.SearchIndex;
import dev.agentmemory.search.Searcher;
import dev.agentmemory.search.Sources;
import dev.agentmemory.search.embed.Embedder;
import dev.agentmemory.search.embed.EmbeddingThread;
import dev.agentmemory.search.workspace.IndexFeed;
import dev.agentmemory.search.workspace.IndexPlace;
import dev.agentmemory.search.workspace.IndexRebuild;
import dev.agentmemory.spi.Job;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.OutboxEntry;
import dev.agentmemory.toc.segment.TokenCounter;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.WorkspaceName;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The index of one store with everything that works on it by itself, and what answers from it. All
/// of it is derived: whatever is wrong here shows in its report, and neither events nor the table
/// of contents wait for it.
final class WorkspaceSearch implements Search, AutoCloseable {

  /// The job that stands for all embedding of the store: paused, nothing is embedded.
  static final String EMBEDDING = "embedding_backfill";

  private static final Logger LOG = LoggerFactory.getLogger(WorkspaceSearch.class);

  /// So many entries behind, the index catches up before anything is embedded.
  private static final int RUSH = 1024;

  private final MemoryStore store;
  private final WorkspaceJobs jobs;
  private final IndexPlace place;
  private final IndexFeed feed;
  private final OutboxWorker worker;
  private final IndexRebuild rebuild;
  private final Optional<Embedder> embedder;
  private final EmbeddingThread.Registration registration;
  private final Sources sources;
  private final TokenCounter tokens;
  private volatile @Nullable Searcher searcher;

  /// @param home the index's folder
  /// @param jobs gets the jobs of the index
  WorkspaceSearch(
      InstantSource clock, Path home, MemoryStore store, EngineContext shared, WorkspaceJobs jobs) {
    this.store = store;
    this.jobs = jobs;
    this.embedder = shared.embedding().embedder();
    this.tokens = shared.tokens();
    this.sources = Sources.of(store);
    this.place = new IndexPlace(home, sources);
    this.registration = shared.embedding().join(new Embedding());
    this.feed = new IndexFeed(System::nanoTime, store, place, new FeedListener());
    this.worker = new OutboxWorker(clock, store, feed, WorkerConfig.DEFAULT, new WorkerListener());
    this.rebuild = new IndexRebuild(store, place, Thread::sleep, registration::wake);
    jobs.addSearch(worker, rebuild, embedder.map(_ -> new Backfill()));
  }

  void start() {
    worker.start();
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
      there = new Searcher(index, sources, embedder);
      searcher = there;
    }
    return there;
  }

  @Override
  public Context context(ContextRequest request) {
    return new ContextBuilder(searcher(), sources, tokens::count).build(request);
  }

  /// What one workspace finds where several share the store.
  ///
  /// @param own the store as this workspace sees it
  Search of(WorkspaceName workspace, Sources own) {
    return new OwnSearch(() -> searcher().of(workspace, own), own, tokens, this::ownStatus);
  }

  @Override
  public SearchReport status() {
    try {
      SearchReport report = place.get().status(embedder);
      return report.waitingFor(feed.trouble().or(registration::waitsFor).or(report::waitsFor));
    } catch (MemoryException e) {
      return new SearchReport(
          store.outboxHead(),
          0,
          0,
          0,
          0,
          embedder.map(Embedder::model),
          0,
          Optional.empty(),
          /* complete= */ false,
          Optional.of(String.valueOf(e.getMessage())));
    }
  }

  /// What one of several workspaces may know: what belongs to no workspace is 0.
  private SearchReport ownStatus() {
    return new SearchReport(
        0,
        0,
        0,
        0,
        0,
        embedder.map(Embedder::model),
        0,
        Optional.empty(),
        !owesRebuild(),
        Optional.empty());
  }

  /// Links the files of the index, with everything applied so far, into a new folder.
  void linkIndex(Path folder) {
    place.get().checkpoint(folder);
  }

  @Override
  public long rebuild() {
    if (place.get().isRebuilding()) {
      throw new MemoryException(
          ErrorCode.CONFLICT,
          "a rebuild of the search index is already running; `memory status` shows its progress");
    }
    return Long.parseLong(jobs.run(IndexRebuild.NAME).getOrDefault(IndexRebuild.EVENTS, "0"));
  }

  /// Applies an entry again that was given up.
  void retry(OutboxEntry entry) {
    feed.retry(entry);
  }

  /// Nodes of the table of contents were written or retired. An index that is opened later looks
  /// for them itself.
  void nodesChanged(Set<NodeId> nodes) {
    place.opened().ifPresent(index -> index.nodesChanged(nodes));
  }

  /// Sequence of the last outbox entry that is safely in the index: entries up to there may be
  /// trimmed. 0 while the index cannot be opened.
  long durableCursor() {
    return place.opened().map(SearchIndex::durableCursor).orElse(0L);
  }

  /// Sequence of the last outbox entry in the index; 0 while it cannot be opened.
  long cursor() {
    return place.opened().map(SearchIndex::cursor).orElse(0L);
  }

  /// Whether the index does not hold the whole log.
  boolean owesRebuild() {
    return place.opened().filter(SearchIndex::owesRebuild).isPresent();
  }

  /// Whether events get their vectors now.
  boolean isEmbedding() {
    return registration.isWorking();
  }

  /// Why nothing goes into the index any more.
  Optional<String> problem() {
    return worker.problem();
  }

  /// Keeps a rebuild from holding up a stop; to be called before the jobs are waited for.
  void stopRebuild() {
    rebuild.stop();
  }

  /// Ends what runs, and makes everything durable. What cannot be written comes again.
  @Override
  public void close() {
    registration.close();
    worker.close();
    try {
      place.close();
    } catch (MemoryException e) {
      LOG.warn("the search index could not be closed in good order: {}", e.getMessage());
    }
  }

  private final class FeedListener implements IndexFeed.Listener {
    @Override
    public void applied() {
      registration.wake();
    }

    @Override
    public void incomplete() {
      jobs.indexIncomplete();
    }
  }

  private final class WorkerListener implements OutboxWorker.Listener {
    @Override
    public void progressed() {}

    @Override
    public void passedOver(long entries) {
      feed.passedOver();
    }

    @Override
    public void stopped(String problem) {
      // The log has it, and so has whoever asks: what can be found does not decide whether the
      // daemon serves.
    }
  }

  private final class Embedding implements EmbeddingThread.Work {

    @Override
    public Optional<String> rests() {
      if (jobs.isPaused(EMBEDDING)) {
        return Optional.of("the job " + EMBEDDING + " is paused");
      }
      return store.outboxHead() - place.get().cursor() > RUSH
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
      return Map.of();
    }

    @Override
    public Map<String, String> runOnRequest() {
      if (jobs.isPaused(EMBEDDING)) {
        throw new MemoryException(
            ErrorCode.CONFLICT, "it is paused, which pauses embedding; resume it");
      }
      try {
        return Map.of("events", Long.toString(registration.retry().get()));
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
