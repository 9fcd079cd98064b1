package dev.agentmemory.storage.backup;

/// Hears how far work on a backup has come. It may take its time, so that copying leaves the disk
/// to others, and it may throw to end the work; then nothing half done remains.
public interface BackupProgress {

  /// Nobody wants to know.
  BackupProgress NONE = (done, total) -> {};

  /// Called before the first byte and after every chunk of at most 1 MiB.
  ///
  /// @param done bytes copied or checked
  /// @param total bytes that there are to copy or check
  void at(long done, long total);
}
