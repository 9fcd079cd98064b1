package dev.agentmemory.rocksdb.backup;

/// Is notified of the progress of a backup. It may block, which slows the copying down so that
/// other work gets the disk. It may throw to cancel the backup; nothing of the backup remains then.
public interface BackupProgress {

  /// Ignores all notifications.
  BackupProgress NONE = (done, total) -> {};

  /// Called before the first byte and after every chunk of at most 1 MiB.
  ///
  /// @param done bytes copied or checked
  /// @param total bytes to copy or check
  void at(long done, long total);
}
