package dev.agentmemory.engine.backup;

import dev.agentmemory.api.Backups;
import dev.agentmemory.api.Version;
import dev.agentmemory.api.audit.AuditAct;
import dev.agentmemory.api.audit.AuditActor;
import dev.agentmemory.api.audit.AuditEntry;
import dev.agentmemory.api.audit.AuditTrail;
import dev.agentmemory.engine.audit.RecordedAct;
import dev.agentmemory.engine.config.EngineConfig;
import dev.agentmemory.rocksdb.RocksStore;
import dev.agentmemory.rocksdb.StoreDirectory;
import dev.agentmemory.rocksdb.backup.BackupDirectory;
import dev.agentmemory.rocksdb.backup.BackupKey;
import dev.agentmemory.rocksdb.backup.BackupProgress;
import dev.agentmemory.rocksdb.backup.BackupSource;
import dev.agentmemory.rocksdb.backup.BackupWriter;
import dev.agentmemory.rocksdb.backup.FailedBackup;
import dev.agentmemory.rocksdb.backup.WorkspaceBackups;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes the backups of a daemon, one at a time.
///
/// The files of a store are linked into a folder of the data directory first (see
/// [StoreBackup.Files]), which takes moments; what is copied from there stays as it is, whatever
/// the store does meanwhile, even when it is closed.
public final class BackupMaker {

  /// What the backups of the store of what belongs to no workspace are called.
  public static final String ACCOUNT = "@account";

  /// Holds what is linked while a backup is made; anything in it before is of a daemon that was
  /// killed.
  private static final String CHECKPOINTS = "checkpoints";

  private static final Logger LOG = LoggerFactory.getLogger(BackupMaker.class);
  private static final Duration TELL = Duration.ofMillis(500);

  private final SystemServices system;
  private final EngineConfig config;
  private final BackupDirectories directories;
  private final AuditTrail audit;
  private final AuditActor actor;
  private final ReentrantLock one = new ReentrantLock();

  /// Why the last backup of a store failed; those that did not fail are not in it.
  private final Map<String, String> failures = new ConcurrentHashMap<>();

  /// @param audit where backups that nobody asked for are recorded
  /// @param actor who makes those
  public BackupMaker(
      SystemServices system, EngineConfig config, AuditTrail audit, AuditActor actor) {
    this.system = system;
    this.config = config;
    this.directories = new BackupDirectories(config.data(), config.backup().directory());
    this.audit = audit;
    this.actor = actor;
    StoreDirectory.delete(checkpoints());
    warnOfUnusableKey();
  }

  /// The file may come later, for example with a disk, so the daemon serves without it.
  private void warnOfUnusableKey() {
    try {
      config.backup().keyFile().ifPresent(BackupKey::read);
    } catch (MemoryException e) {
      LOG.warn("backups will fail (backup.key_file): {}", e.getMessage());
    }
  }

  private Path checkpoints() {
    return config.data().resolve(CHECKPOINTS);
  }

  /// Why this daemon's last backup of a store failed, scheduled or requested.
  Optional<String> failure(String name) {
    return Optional.ofNullable(failures.get(name));
  }

  /// Backups of a store that began before a time, in all directories that this daemon has backed up
  /// into and that can be read now. They have what was erased from the store since, and also what
  /// was erased before but was still in the store's files because these had not been compacted. No
  /// key is needed.
  ///
  /// @param name of the workspace, or `@` and what the store is called
  public List<EarlierBackup> madeBefore(String name, Instant time) {
    return directories.present().stream()
        .flatMap(path ->
            BackupDirectory.open(path).of(name).madeBefore(time).stream()
                .map(old -> new EarlierBackup(path, old)))
        .toList();
  }

  /// The directories that have backups, or had, of any store.
  BackupDirectories directories() {
    return directories;
  }

  /// Does something while no other backup is made, by this daemon or into this directory.
  ///
  /// @param target its directory is made when it is missing
  /// @param waiting called every half second until it is this one's turn
  /// @throws MemoryException when the directory cannot be used, or another program writes to it, or
  ///   when the key file cannot be used
  public <T> T run(Backups.Target target, Runnable waiting, Function<Run, T> work) {
    Path path = target.directory();
    refuseAmongTheStores(path);
    Optional<BackupKey> key = target.keyFile().or(config.backup()::keyFile).map(BackupKey::read);
    waitForTurn(waiting);
    try {
      Instant now = system.now();
      BackupDirectory directory = BackupDirectory.create(path, now);
      try (var _ = directory.lock()) {
        directories.note(path);
        return work.apply(
            new Run(key.map(directory::with).orElse(directory), directory.nextId(now)));
      }
    } finally {
      one.unlock();
    }
  }

  private void waitForTurn(Runnable waiting) {
    try {
      while (!one.tryLock(TELL.toMillis(), TimeUnit.MILLISECONDS)) {
        waiting.run();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MemoryException(ErrorCode.CLOSED, "stopped while waiting for another backup", e);
    }
  }

  /// A folder there would be taken for a workspace.
  private void refuseAmongTheStores(Path path) {
    Path whole = path.toAbsolutePath().normalize();
    Path own = directories.own();
    boolean inside = whole.startsWith(config.data()) && !whole.startsWith(own);
    if (inside || whole.startsWith(config.db())) {
      throw MemoryException.invalid(
          "directory",
          ("%s is inside the data directory; choose a directory outside of it, preferably on another"
                  + " disk, or one below %s")
              .formatted(whole, own));
    }
  }

  /// Makes a backup that nobody asked for, and records it.
  ///
  /// @param name of the store, as for [Run#make]
  /// @param path of the backup directory
  BackupWriter.Written recorded(String name, Path path, Supplier<BackupWriter.Written> backup) {
    return RecordedAct.during(
        audit,
        act(AuditAct.BACKUP_CREATE, name, path),
        backup,
        made ->
            Map.of(
                "backup_id",
                made.manifest().id(),
                "events",
                Long.toString(made.manifest().events())));
  }

  private AuditEntry act(AuditAct act, String name, Path path) {
    AuditEntry entry =
        AuditEntry.begin(act, actor)
            .withDetails(Map.of("store", name, "directory", path.toString()));
    return WorkspaceName.of(name).map(entry::withWorkspace).orElse(entry);
  }

  /// Backs up a store of a former format, before this version writes to it. Does nothing for any
  /// other store, or when it is turned off.
  ///
  /// @param store the directory of a closed store
  /// @throws MemoryException when that fails; the store is as it was
  public void beforeUpgrade(String name, Path store) {
    if (!config.backup().beforeUpgrade()) {
      return;
    }
    int format = RocksStore.FORMAT;
    Optional<Integer> former = RocksStore.formerFormat(store);
    if (former.isEmpty()) {
      return;
    }
    Path path =
        config
            .backup()
            .directory()
            .orElseGet(() -> directories.own().resolve("before-format-" + format));
    try {
      String id =
          recorded(
                  name,
                  path,
                  () ->
                      run(Backups.Target.of(path), () -> {}, run -> run.makeOfClosed(name, store)))
              .manifest()
              .id();
      LOG.info(
          "the store {} is upgraded from format {} to {}; backup {} in {} contains the old format",
          name,
          former.get(),
          format,
          id,
          path);
    } catch (MemoryException e) {
      throw new MemoryException(
          e.code(),
          ("the store %s has format %d and would become %d, and the backup before that failed: %s;"
                  + " fix the cause, or disable this backup with --set backup.before_upgrade=false")
              .formatted(name, former.get(), format, e.getMessage()),
          e);
    }
  }

  /// Backups of one directory that have one id.
  public final class Run {

    private final BackupDirectory directory;
    private final String id;

    private Run(BackupDirectory directory, String id) {
      this.directory = directory;
      this.id = id;
    }

    /// @param name of the workspace, or `@` and what the store is called
    /// @throws MemoryException saying what went wrong; nothing of the backup is left then
    public BackupWriter.Written make(
        String name, StoreBackup.Files files, boolean withIndex, BackupProgress progress) {
      Instant began = system.now();
      progress.at(0, 0);
      Path folder = checkpoints().resolve(name);
      try {
        StoreDirectory.delete(folder);
        Files.createDirectories(folder);
        // The index first: it may be behind the store, never ahead of it.
        Optional<Path> index = Optional.of(folder.resolve("index")).filter(_ -> withIndex);
        index = index.filter(files::linkIndex);
        Path store = folder.resolve("store");
        files.linkStore(store);
        BackupWriter.Written made =
            BackupWriter.write(
                directory.of(name),
                id,
                source(store, index, Path.of(name), began),
                new BackupPace(
                    system.ticker(), system.sleeper(), config.backup().bytesPerSecond(), progress));
        files.noteForgotten(directory.of(name).folder());
        failures.remove(name);
        return made;
      } catch (IOException e) {
        throw new MemoryException(
            ErrorCode.STORAGE_FAILED,
            "cannot write in %s (%s); check the disk and its permissions"
                .formatted(folder, e.getMessage()),
            e);
      } finally {
        StoreDirectory.delete(folder);
      }
    }

    /// Remembers that a backup of a store failed, and notes it beside its earlier ones, for a user
    /// who restores one of them.
    public void failed(String name, String why) {
      failures.put(name, why);
      try {
        directory.of(name).note(new FailedBackup(id, system.now(), why));
      } catch (MemoryException e) {
        // Often it is the reason of the failure, which is told.
        LOG.debug("that the backup of {} failed could not be noted", name, e);
      }
    }

    /// Backs up a closed store without a rate limit, because the caller waits for it.
    ///
    /// @param store its directory
    public BackupWriter.Written makeOfClosed(String name, Path store) {
      var source = source(store, Optional.empty(), store, system.now());
      return BackupWriter.write(directory.of(name), id, source, BackupProgress.NONE);
    }

    private BackupSource source(Path store, Optional<Path> index, Path origin, Instant began) {
      return new BackupSource(
          store, index, origin, began, Version.current(), config.storage().minFreeBytes());
    }

    /// Deletes the oldest backups of a workspace, and records it.
    ///
    /// @return how many
    public int retain(String name, int keep) {
      WorkspaceBackups backups = directory.of(name);
      if (backups.ids().size() <= keep) {
        return backups.retain(keep);
      }
      return RecordedAct.during(
          audit,
          act(AuditAct.BACKUP_DELETE, name, directory.path()),
          () -> backups.retain(keep),
          deleted -> Map.of("deleted", Integer.toString(deleted)));
    }
  }
}
