package dev.agentmemory.engine.internal.folder;

import dev.agentmemory.api.BackupStep;
import dev.agentmemory.api.Backups;
import dev.agentmemory.engine.backup.BackupMaker;
import dev.agentmemory.rocksdb.backup.BackupManifest;
import dev.agentmemory.rocksdb.backup.BackupProgress;
import dev.agentmemory.rocksdb.backup.BackupWriter;
import dev.agentmemory.spi.Ticker;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Requested backups: one store after the other, each independent of the others, so that one that
/// cannot be read does not prevent the backup of the others.
public final class BackupRuns implements Backups {

  private static final Logger LOG = LoggerFactory.getLogger(BackupRuns.class);
  private static final Duration TELL = Duration.ofMillis(250);

  private final Ticker ticker;
  private final BackupMaker backups;
  private final Stores stores;

  /// The stores of a daemon.
  public interface Stores {

    /// Those that exist.
    ///
    /// @param asked empty for all
    /// @throws MemoryException `NOT_FOUND`, `INVALID_FIELD`
    List<String> names(List<WorkspaceName> asked);

    /// Makes a backup of one, opening it when it is closed.
    ///
    /// @throws MemoryException when it cannot be opened or backed up
    BackupWriter.Written make(
        BackupMaker.Run run, String name, boolean withIndex, BackupProgress progress);
  }

  public BackupRuns(Ticker ticker, BackupMaker backups, Stores stores) {
    this.ticker = ticker;
    this.backups = backups;
    this.stores = stores;
  }

  @Override
  public void backup(
      Backups.Target target,
      List<WorkspaceName> workspaces,
      boolean withIndex,
      Consumer<BackupStep> steps) {
    List<String> names = stores.names(workspaces);
    Runnable waiting =
        () ->
            names.stream().limit(1).forEach(name -> steps.accept(new BackupStep.Going(name, 0, 0)));
    backups.run(
        target,
        waiting,
        run -> {
          names.forEach(name -> steps.accept(made(run, name, withIndex, steps)));
          return names;
        });
  }

  private BackupStep made(
      BackupMaker.Run run, String name, boolean withIndex, Consumer<BackupStep> steps) {
    var progress = new StepReport(ticker, name, steps);
    try {
      BackupWriter.Written made = stores.make(run, name, withIndex, progress);
      BackupManifest manifest = made.manifest();
      return new BackupStep.Made(
          name, manifest.id(), manifest.events(), manifest.bytes(), made.newBytes());
    } catch (MemoryException e) {
      if (progress.isAbandoned() || e.code() == ErrorCode.CLOSED) {
        throw e;
      }
      LOG.error("workspace {} could not be backed up: {}", name, e.getMessage());
      LOG.debug("where the backup of {} failed", name, e);
      run.failed(name, String.valueOf(e.getMessage()));
      return new BackupStep.Failed(name, String.valueOf(e.getMessage()));
    }
  }

  /// Reports progress a few times a second, and remembers when the client has disconnected.
  private static final class StepReport implements BackupProgress {

    private final Ticker ticker;
    private final String name;
    private final Consumer<BackupStep> steps;
    private long toldAt;
    private boolean telling;

    StepReport(Ticker ticker, String name, Consumer<BackupStep> steps) {
      this.ticker = ticker;
      this.name = name;
      this.steps = steps;
      this.toldAt = ticker.nanos() - TELL.toNanos();
    }

    @Override
    public void at(long done, long total) {
      long now = ticker.nanos();
      if (now - toldAt < TELL.toNanos()) {
        return;
      }
      toldAt = now;
      telling = true;
      steps.accept(new BackupStep.Going(name, done, total));
      telling = false;
    }

    /// Whether the last step could not be told.
    boolean isAbandoned() {
      return telling;
    }
  }
}
