package dev.agentmemory.engine.backup;

import dev.agentmemory.api.Backups;
import dev.agentmemory.engine.config.BackupConfig;
import dev.agentmemory.rocksdb.backup.BackupDirectory;
import dev.agentmemory.rocksdb.backup.BackupProgress;
import dev.agentmemory.rocksdb.backup.BackupWriter;
import dev.agentmemory.rocksdb.backup.WorkspaceBackups;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Backups of one open store.
public final class StoreBackup {

  /// The job; clients look for how it ended by this name.
  public static final String JOB = "backup";

  private static final Logger LOG = LoggerFactory.getLogger(StoreBackup.class);

  private final BackupMaker backups;
  private final BackupConfig config;
  private final String name;
  private final Consumer<Path> store;

  /// What a backup is made of, linked into a folder at one moment.
  public interface Files {

    /// @param folder must not exist
    void linkStore(Path folder);

    /// @param folder must not exist
    /// @return false when there is no index that could be used
    boolean linkIndex(Path folder);

    /// Writes beside the backups what was forgotten, so that a restore forgets it again.
    ///
    /// @param folder of the backups of the workspace
    void noteForgotten(Path folder);
  }

  /// @param name of the workspace, or `@` and what the store is called
  /// @param store links the store's files into a folder
  public StoreBackup(BackupMaker backups, BackupConfig config, String name, Consumer<Path> store) {
    this.backups = backups;
    this.config = config;
    this.name = name;
    this.store = store;
  }

  public String name() {
    return name;
  }

  /// Whether the job is turned on.
  public boolean isScheduled() {
    return config.directory().isPresent();
  }

  public String cron() {
    return config.cron();
  }

  /// Why this daemon's last backup failed, scheduled or requested.
  public Optional<String> failure() {
    return backups.failure(name);
  }

  /// The backups of the store that began before a time, each as its directory and id, and the
  /// directories that may have some but cannot be read now.
  public List<String> madeBefore(Instant time) {
    Stream<String> found =
        backups.madeBefore(name, time).stream()
            .map(one -> one.directory() + " " + one.backup().id());
    Stream<String> absent =
        backups.directories().absent().stream()
            .map(path ->
                path + " (cannot be read now; if it has backups, scrub them when it is there)");
    return Stream.concat(found, absent).toList();
  }

  /// The folders that have backups of the store.
  public List<Path> folders() {
    return backups.directories().present().stream()
        .map(path -> BackupDirectory.open(path).of(name))
        .filter(one -> !one.ids().isEmpty())
        .map(WorkspaceBackups::folder)
        .toList();
  }

  /// @param index links the files of the index into a folder
  /// @param forgotten writes what was forgotten into a folder
  public Files files(Consumer<Path> index, Consumer<Path> forgotten) {
    return new Files() {
      @Override
      public void linkStore(Path folder) {
        store.accept(folder);
      }

      @Override
      public boolean linkIndex(Path folder) {
        try {
          index.accept(folder);
          return true;
        } catch (MemoryException e) {
          LOG.warn("the backup of {} is made without its search index: {}", name, e.getMessage());
          return false;
        }
      }

      @Override
      public void noteForgotten(Path folder) {
        forgotten.accept(folder);
      }
    };
  }

  /// One run of the job.
  public Map<String, String> run(Files files) {
    Path directory = config.directory().orElseThrow();
    return backups.run(
        Backups.Target.of(directory),
        () -> {},
        run -> {
          BackupWriter.Written made = backups.recorded(name, directory, () -> make(run, files));
          int deleted = run.retain(name, config.keep());
          return Map.of(
              "backup", made.manifest().id(),
              "events", Long.toString(made.manifest().events()),
              "new_bytes", Long.toString(made.newBytes()),
              "deleted", Integer.toString(deleted));
        });
  }

  private BackupWriter.Written make(BackupMaker.Run run, Files files) {
    try {
      return run.make(name, files, config.withIndex(), BackupProgress.NONE);
    } catch (MemoryException e) {
      if (e.code() != ErrorCode.CLOSED) {
        run.failed(name, String.valueOf(e.getMessage()));
      }
      throw e;
    }
  }
}
