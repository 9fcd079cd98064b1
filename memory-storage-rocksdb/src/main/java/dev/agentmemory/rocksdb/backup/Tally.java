package dev.agentmemory.rocksdb.backup;

/// Adds up the bytes that are done and reports the sum.
final class Tally {

  private final BackupProgress progress;
  private final long total;
  private long done;

  Tally(BackupProgress progress, long total) {
    this.progress = progress;
    this.total = total;
    progress.at(0, total);
  }

  void add(long bytes) {
    done += bytes;
    progress.at(Math.min(done, total), total);
  }
}
