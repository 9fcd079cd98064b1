package dev.agentmemory.engine.backup;

import dev.agentmemory.rocksdb.backup.BackupProgress;
import dev.agentmemory.spi.Sleeper;
import dev.agentmemory.spi.Ticker;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.time.Duration;

/// Keeps copying below a number of bytes a second: after each chunk it pauses until the average is
/// what it may be. An interrupt ends the copying.
final class BackupPace implements BackupProgress {

  private final Ticker ticker;
  private final Sleeper sleeper;
  private final long bytesPerSecond;
  private final BackupProgress told;
  private final long began;

  /// @param told receives the same
  BackupPace(Ticker ticker, Sleeper sleeper, long bytesPerSecond, BackupProgress told) {
    this.ticker = ticker;
    this.sleeper = sleeper;
    this.bytesPerSecond = bytesPerSecond;
    this.told = told;
    this.began = ticker.nanos();
  }

  @Override
  public void at(long done, long total) {
    told.at(done, total);
    double due = (double) done / bytesPerSecond * Duration.ofSeconds(1).toNanos();
    long ahead = (long) due - (ticker.nanos() - began);
    try {
      if (ahead > 0) {
        sleeper.sleep(Duration.ofNanos(ahead));
      } else if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MemoryException(
          ErrorCode.CLOSED, "the backup was interrupted; its partial files were deleted", e);
    }
  }
}
