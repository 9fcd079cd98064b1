package dev.agentmemory.engine;

import dev.agentmemory.api.BackupStep;
import dev.agentmemory.api.Backups;
import dev.agentmemory.api.WorkspaceSource;
import dev.agentmemory.api.WorkspaceSource.Access;
import dev.agentmemory.api.Workspaces;
import dev.agentmemory.api.changes.ChangeFeed;
import dev.agentmemory.api.forget.ConversationFiles;
import dev.agentmemory.api.metrics.EngineMetrics;
import dev.agentmemory.api.metrics.OccurrenceKey;
import dev.agentmemory.api.metrics.WorkspaceMetrics;
import dev.agentmemory.engine.audit.AuditLog;
import dev.agentmemory.engine.config.EngineConfig;
import dev.agentmemory.engine.data.DataDirectory;
import dev.agentmemory.engine.internal.folder.BackupRuns;
import dev.agentmemory.engine.internal.measure.EngineMeasures;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The workspaces of a data directory with everything that works on them by itself, in this
/// process. A daemon serves it to others; a program can also use it as a library.
public final class Engine implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Engine.class);

  /// The cache of embeddings.
  private static final String VECTORS = "vectors";

  private final DataDirectory directory;
  private final AuditLog audit;
  private final Deque<AutoCloseable> parts = new ArrayDeque<>();
  private WorkspaceSource source;

  /// Of the workspace of callers that name none.
  private CompletableFuture<WorkspaceSource.Lease> first;

  private Backups backups;
  private ChangeFeed changes;
  private Supplier<List<String>> problems = List::of;
  private Supplier<Map<WorkspaceName, Boolean>> health = Map::of;
  private Supplier<List<WorkspaceMetrics>> open = List::of;
  private Supplier<EngineMetrics> metrics;
  private Consumer<ConversationFiles> forgetting = _ -> {};

  /// Locks the data directory, which is created when it is missing, and opens the workspace of
  /// callers that name none. What was opened is closed again when something fails.
  ///
  /// A store that cannot be opened does not keep the engine from opening: calls for it fail with
  /// the reason, and [#problems] tells it.
  ///
  /// @param system time and randomness: when events come in and jobs are due
  /// @param onChange is run when something has stopped working, and when a workspace was opened or
  ///   could not be; may be called from any thread, also before this method has returned
  /// @throws MemoryException `CONFLICT` when the directory is not ours or another process has it
  public static Engine open(SystemServices system, EngineConfig config, Runnable onChange) {
    Engine engine = opening(system, config, onChange);
    try {
      engine.awaitOpen();
      return engine;
    } catch (RuntimeException | Error e) {
      engine.close();
      throw e;
    }
  }

  /// Like [#open], but returns while that workspace is still being opened. Its calls wait for it.
  /// It is kept open until [#awaitOpen] or [#close] is called.
  ///
  /// @throws MemoryException as [#open]
  public static Engine opening(SystemServices system, EngineConfig config, Runnable onChange) {
    var directory = new DataDirectory(system.clock(), config.data(), config.db());
    return new Engine(system, config, directory, directory.lock(), onChange);
  }

  private Engine(
      SystemServices system,
      EngineConfig config,
      DataDirectory directory,
      AutoCloseable lock,
      Runnable onChange) {
    this.directory = directory;
    this.audit = new AuditLog(system.clock(), config.data());
    parts.push(lock);
    try {
      var opener = new WorkspaceFactory(system, config, audit, onChange);
      parts.push(opener);
      forgetting = opener::forgetIn;
      BackupRuns.Stores stores;
      switch (config.workspaces().mode()) {
        case SEPARATE -> {
          WorkspaceRegistry separate = separate(system, config, opener, onChange);
          source = separate;
          problems =
              () -> Stream.concat(opener.problem().stream(), separate.problems().stream()).toList();
          health = separate::health;
          open = separate::metrics;
          stores = new BackupStores(separate, opener.stores(), opener::account);
          changes = followed(opener, config.workspaces().agentId());
        }
        case UNIFIED -> {
          UnifiedWorkspaces unified = unified(system, config, opener, onChange);
          source = unified;
          problems = unified::problems;
          open = unified::metrics;
          stores = unified.stores(opener.stores()::hasAccount, opener::account);
          changes = followed(opener, WorkspaceFactory.SHARED);
        }
        default -> throw new AssertionError(config.workspaces().mode());
      }
      metrics = () -> measured(opener);
      first = source.lease(Optional.empty(), Access.WRITE);
      // Its lease has to end before the workspaces are closed.
      parts.push(this::awaitOpen);
      backups =
          config.database().isEmpty()
              ? new BackupRuns(system.ticker(), opener.backups(), stores)
              : Engine::refuseBackup;
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  private static void refuseBackup(
      Backups.Target target,
      List<WorkspaceName> workspaces,
      boolean withIndex,
      Consumer<BackupStep> steps) {
    throw new MemoryException(
        ErrorCode.CONFLICT,
        "the stores are in a PostgreSQL database, which is backed up by the database's own means,"
            + " such as pg_basebackup or pg_dump");
  }

  private ChangeFeed followed(WorkspaceFactory opener, String unnamed) {
    return new FollowedWorkspaces(source, opener.changes(), unnamed);
  }

  private WorkspaceRegistry separate(
      SystemServices system, EngineConfig config, WorkspaceFactory opener, Runnable onChange) {
    var separate =
        new WorkspaceRegistry(
            system.clock(),
            system.ticker(),
            opener.stores(),
            config.workspaces(),
            opener,
            onChange);
    parts.push(separate);
    var reaper =
        new IdleWorkspaceReaper(
            system.clock(), system.ticker(), separate, config.workspaces().idleClose());
    parts.push(reaper);
    reaper.start();
    return separate;
  }

  private UnifiedWorkspaces unified(
      SystemServices system, EngineConfig config, WorkspaceFactory opener, Runnable onChange) {
    var unified =
        new UnifiedWorkspaces(
            system.ticker(), opener, new WorkspaceName(config.workspaces().agentId()), onChange);
    parts.push(unified);
    return unified;
  }

  /// Waits until the workspace of callers that name none is open or could not be opened.
  public void awaitOpen() {
    try (var _ = MemoryException.join(first)) {
      LOG.debug("the workspace of callers that name none can be used");
    } catch (MemoryException e) {
      LOG.debug("the engine opens without the workspace of callers that name none", e);
    }
  }

  /// The data directory, which this engine has locked.
  public DataDirectory directory() {
    return directory;
  }

  /// Gives calls the memories of workspaces. No lease may be open when the engine is closed.
  public WorkspaceSource source() {
    return source;
  }

  /// Lists, creates and deletes workspaces.
  public Workspaces workspaces() {
    return new LocalWorkspaces(source);
  }

  /// Names files outside the stores from which is removed what has to be forgotten. To be called
  /// before calls are taken.
  public void forgetIn(ConversationFiles files) {
    forgetting.accept(files);
  }

  /// Tells what is changed in workspaces.
  public ChangeFeed changes() {
    return changes;
  }

  public Backups backups() {
    return backups;
  }

  /// The audit log of the data directory. A program that uses the engine as a library records its
  /// acts itself.
  public AuditLog audit() {
    return audit;
  }

  /// What keeps events from being taken in and put in order; empty if there is none.
  public List<String> problems() {
    return problems.get();
  }

  /// Whether each workspace takes events and puts them in order, as far as is known; empty where
  /// workspaces share a store.
  public Map<WorkspaceName, Boolean> health() {
    return health.get();
  }

  /// What is measured of the engine. It reads no table, waits for no workspace and opens none; one
  /// that cannot be read is left out.
  public EngineMetrics metrics() {
    return metrics.get();
  }

  private EngineMetrics measured(WorkspaceFactory opener) {
    // Before the sums, which then have what these have counted.
    List<WorkspaceMetrics> workspaces = open.get();
    EngineMeasures measures = opener.measures();
    Map<OccurrenceKey, Long> occurrences = new HashMap<>(measures.totals().sums());
    WorkspaceFigures.putCache(occurrences, VECTORS, opener.vectors());
    return new EngineMetrics(
        measures.writes(),
        measures.ingested(),
        measures.queries(),
        occurrences,
        opener.blockCache(),
        opener.accountMemories(),
        states(workspaces.size()),
        workspaces);
  }

  private EngineMetrics.WorkspaceStates states(long open) {
    Map<WorkspaceName, Boolean> known = health.get();
    if (known.isEmpty()) {
      return new EngineMetrics.WorkspaceStates(1, open, problems().isEmpty() ? 0 : 1);
    }
    long failing = known.values().stream().filter(well -> !well).count();
    return new EngineMetrics.WorkspaceStates(known.size(), open, failing);
  }

  /// Ends what works by itself, writes what waits, closes the stores and gives the directory up. A
  /// second call does nothing.
  @Override
  public void close() {
    while (!parts.isEmpty()) {
      close(parts.pop());
    }
  }

  private static void close(AutoCloseable part) {
    try {
      part.close();
    } catch (Exception e) {
      LOG.error("could not close {}", part.getClass().getSimpleName(), e);
    }
  }
}
