package dev.agentmemory.engine.internal.recall;

import dev.agentmemory.api.Ingest;
import dev.agentmemory.api.Recall;
import dev.agentmemory.recall.conversation.ConversationCaches;
import dev.agentmemory.recall.conversation.ConversationContext;
import dev.agentmemory.recall.conversation.RecordOwner;
import dev.agentmemory.recall.memory.MemoryCollection;
import dev.agentmemory.search.embed.Embedder;
import dev.agentmemory.search.embed.EmbeddingThread;
import dev.agentmemory.search.memory.MemorySource;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.StoreReader;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.toc.shared.WorkspaceView;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The curated memories in a store, of one workspace or of several that share it, with what works
/// on them by itself. Memories are read when they are first asked for.
public final class StoreRecall implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(StoreRecall.class);

  /// Where the word indexes of workspaces are that share a store. No number, so it is no generation
  /// of the search index.
  private static final String OWN_WORDS = "workspaces";

  /// Prefix of the keys of memories in a shared store, up to the name of the workspace.
  private static final String MEMORIES = "memory:@";

  private final RecallContext shared;
  private final MemoryStore store;
  private final Path index;
  private final boolean sharesStore;
  private final Mutex mutex = new Mutex();
  private final ConversationCaches caches = new ConversationCaches();
  private final Map<RecordOwner, WorkspaceRecall> workspaces = new ConcurrentHashMap<>();
  private final FlushLoop flushing;
  private final EmbeddingThread.Registration embedding;

  /// @param index folder of the store's search index; those of words are made in it
  /// @param sharesStore whether several workspaces share the store
  /// @param paused why nothing may be embedded now
  public StoreRecall(
      RecallContext shared,
      MemoryStore store,
      Path index,
      boolean sharesStore,
      Supplier<Optional<String>> paused) {
    this.shared = shared;
    this.store = store;
    this.index = index;
    this.sharesStore = sharesStore;
    this.flushing = new FlushLoop(shared.services().config().accessFlush(), this::flush);
    this.embedding = shared.embedding().join(new Vectors(paused));
  }

  /// The memories of the only workspace of a store.
  ///
  /// @param ingest stores the events that begin and end conversations
  public Recall recall(Ingest ingest) {
    return only().recall(ingest);
  }

  /// The memories of one of several workspaces.
  public Recall recall(WorkspaceName workspace, Ingest ingest) {
    return of(workspace).recall(ingest);
  }

  /// The memories of all workspaces. They can be read only.
  public Recall jointRecall(Ingest ingest) {
    return new JointRecall(shared, context(RecordOwner.ofAll(), store), this::all).recall(ingest);
  }

  /// Lets a search find the memories of the only workspace.
  public MemorySource source() {
    return new SearchedMemories(() -> only().curated());
  }

  /// Lets a search find the memories of one of several workspaces.
  public MemorySource source(WorkspaceName workspace) {
    return new SearchedMemories(() -> of(workspace).curated());
  }

  /// Lets a search find the memories of all workspaces.
  public MemorySource jointSource() {
    var joint = new JointRecall(shared, context(RecordOwner.ofAll(), store), this::all);
    return new SearchedMemories(joint::curated);
  }

  /// Computes the vectors of memories.
  public EmbeddingThread.Registration embedding() {
    return embedding;
  }

  private WorkspaceRecall only() {
    return workspaces.computeIfAbsent(RecordOwner.only(), owner -> open(owner, store, index));
  }

  private WorkspaceRecall of(WorkspaceName workspace) {
    return workspaces.computeIfAbsent(
        RecordOwner.of(workspace),
        owner ->
            open(
                owner,
                new WorkspaceView(store, workspace),
                index.resolve(OWN_WORDS).resolve(workspace.value())));
  }

  private WorkspaceRecall open(RecordOwner owner, StoreReader reader, Path words) {
    var opened = new WorkspaceRecall(shared, context(owner, reader), words);
    opened.collection().whenUnflushed(() -> changed(opened.collection()));
    return opened;
  }

  private ConversationContext context(RecordOwner owner, StoreReader reader) {
    return new ConversationContext(shared.services().system(), store, reader, owner, mutex, caches);
  }

  private void changed(MemoryCollection memories) {
    flushing.request();
    if (memories.pendingVectors() > 0) {
      embedding.wake();
    }
  }

  /// All workspaces that have memories.
  List<WorkspaceRecall> all() {
    return sharesStore ? names().stream().map(this::of).toList() : List.of(only());
  }

  /// The workspaces of a shared store that have memories.
  private SortedSet<WorkspaceName> names() {
    var names = new TreeSet<WorkspaceName>();
    Optional<String> after = Optional.empty();
    List<StoredRecord> next = store.records().records(MEMORIES, after, 1);
    while (!next.isEmpty()) {
      String key = next.getFirst().key();
      String owner = key.substring(MEMORIES.length(), key.indexOf('/'));
      names.add(new WorkspaceName(owner));
      // What follows the slash in ASCII is the zero.
      next = store.records().records(MEMORIES, Optional.of(MEMORIES + owner + '0'), 1);
    }
    return names;
  }

  private void flush() {
    workspaces.values().forEach(workspace -> workspace.collection().flush());
  }

  /// Writes access counts and closes the indexes. The store stays open.
  @Override
  public void close() {
    embedding.close();
    flushing.close();
    workspaces.values().forEach(StoreRecall::close);
  }

  private static void close(WorkspaceRecall workspace) {
    try {
      workspace.collection().close();
    } catch (MemoryException e) {
      LOG.warn("the latest access counts of memories were not written: {}", e.getMessage());
    }
  }

  private final class Vectors implements EmbeddingThread.Work {

    private final Supplier<Optional<String>> paused;

    private Vectors(Supplier<Optional<String>> paused) {
      this.paused = paused;
    }

    @Override
    public Optional<String> pausedBecause() {
      return paused.get();
    }

    @Override
    public int embed(Embedder embedder, int limit) {
      return all().stream().mapToInt(one -> one.collection().embedPending()).sum();
    }
  }
}
