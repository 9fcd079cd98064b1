package dev.agentmemory.engine;

import dev.agentmemory.api.Backups;
import dev.agentmemory.api.WorkspaceSource;
import dev.agentmemory.api.WorkspaceSource.Access;
import dev.agentmemory.engine.config.EngineConfig;
import dev.agentmemory.engine.data.DataDirectory;
import dev.agentmemory.engine.internal.folder.BackupRuns;
import dev.agentmemory.engine.internal.folder.WorkspaceFolders;
import dev.agentmemory.storage.StoreLocation;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The workspaces of a data directory with everything that works on them by itself, in this
/// process. A daemon serves it to others; a program can also use it as a library.
public final class Engine implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Engine.class);

  private final DataDirectory directory;
  private final Deque<AutoCloseable> parts = new ArrayDeque<>();
  private WorkspaceSource workspaces;
  private Backups backups;
  private Supplier<List<String>> problems = List::of;
  private Supplier<Map<WorkspaceName, Boolean>> health = Map::of;

  /// Locks the data directory, which is created when it is missing, and opens the workspace of
  /// callers that name none. What was opened is closed again when something fails.
  ///
  /// A store that cannot be opened does not keep the engine from opening: calls for it fail with
  /// the reason, and [#problems] tells it.
  ///
  /// @param clock tells the time in which events come in and jobs are due
  /// @param onChange is run when something has stopped working, and when a workspace was opened or
  ///   could not be; may be called from any thread, also before this method has returned
  /// @throws MemoryException `CONFLICT` when the directory is not ours or another process has it
  public static Engine open(InstantSource clock, EngineConfig config, Runnable onChange) {
    var directory = new DataDirectory(clock, config.data(), config.db());
    return new Engine(clock, config, directory, directory.lock(), onChange);
  }

  private Engine(
      InstantSource clock,
      EngineConfig config,
      DataDirectory directory,
      AutoCloseable lock,
      Runnable onChange) {
    this.directory = directory;
    parts.push(lock);
    try {
      var opener = new WorkspaceFactory(clock, config, onChange);
      parts.push(opener);
      BackupRuns.Stores stores;
      switch (config.workspaces().mode()) {
        case SEPARATE -> {
          WorkspaceRegistry separate = separate(clock, config, opener, onChange);
          workspaces = separate;
          problems = separate::problems;
          health = separate::health;
          stores = new BackupStores(separate, config);
        }
        case UNIFIED -> {
          UnifiedWorkspaces unified = unified(config, opener, onChange);
          workspaces = unified;
          problems = unified::problems;
          stores = unified.stores();
        }
        default -> throw new AssertionError(config.workspaces().mode());
      }
      backups = new BackupRuns(System::nanoTime, opener.backups(), stores);
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /// The workspaces. That of callers who name none is opened at once; when that fails the others
  /// are served all the same.
  private WorkspaceRegistry separate(
      InstantSource clock, EngineConfig config, WorkspaceFactory opener, Runnable onChange) {
    var folders = new WorkspaceFolders(config.db(), config.data().resolve(StoreLocation.WITNESSES));
    var separate =
        new WorkspaceRegistry(
            clock, System::nanoTime, folders, config.workspaces(), opener, onChange);
    parts.push(separate);
    try (var _ = separate.lease(Optional.empty(), Access.WRITE).join()) {
      LOG.debug("the workspace {} can be used", config.workspaces().agentId());
    } catch (CompletionException e) {
      if (!(e.getCause() instanceof MemoryException)) {
        throw e;
      }
      LOG.debug("the engine opens without workspace {}", config.workspaces().agentId(), e);
    }
    var reaper =
        new IdleWorkspaceReaper(clock, System::nanoTime, separate, config.workspaces().idleClose());
    parts.push(reaper);
    reaper.start();
    return separate;
  }

  private UnifiedWorkspaces unified(
      EngineConfig config, WorkspaceFactory opener, Runnable onChange) {
    var unified =
        new UnifiedWorkspaces(
            System::nanoTime, opener, new WorkspaceName(config.workspaces().agentId()), onChange);
    parts.push(unified);
    return unified;
  }

  /// The data directory, which this engine has locked.
  public DataDirectory directory() {
    return directory;
  }

  /// Gives calls the memories of workspaces. No lease may be open when the engine is closed.
  public WorkspaceSource workspaces() {
    return workspaces;
  }

  public Backups backups() {
    return backups;
  }

  /// What keeps events from being taken in and put in order; empty when all is well.
  public List<String> problems() {
    return problems.get();
  }

  /// Whether each workspace takes events and puts them in order, as far as is known; empty where
  /// workspaces share a store.
  public Map<WorkspaceName, Boolean> health() {
    return health.get();
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
