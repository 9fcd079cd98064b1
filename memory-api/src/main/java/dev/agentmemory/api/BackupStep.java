package dev.agentmemory.api;

/// Progress of a backup.
public sealed interface BackupStep {

  /// Name of the workspace's store; those that are no workspace begin with `@`.
  String workspace();

  /// The backup continues.
  ///
  /// @param done bytes copied and read back, together; 0 while it waits or prepares
  /// @param total bytes to copy and to read back; 0 until that is known
  record Going(String workspace, long done, long total) implements BackupStep {}

  /// The backup of one workspace is complete and checked.
  ///
  /// @param id names it in the directory
  /// @param events how many the store counts
  /// @param bytes size of its files
  /// @param newBytes size of the files that no earlier backup contains
  record Made(String workspace, String id, long events, long bytes, long newBytes)
      implements BackupStep {}

  /// The backup of one workspace failed; the others continue.
  ///
  /// @param why reason and remedy
  record Failed(String workspace, String why) implements BackupStep {}
}
