package dev.agentmemory.api;

/// What a backup in progress tells.
public sealed interface BackupStep {

  /// Name of the workspace's store; those that are no workspace begin with `@`.
  String workspace();

  /// It goes on.
  ///
  /// @param done bytes copied and read back, together; 0 while it waits or prepares
  /// @param total bytes to copy and to read back; 0 until that is known
  record Going(String workspace, long done, long total) implements BackupStep {}

  /// The backup of one workspace is complete and checked.
  ///
  /// @param id names it in the directory
  /// @param events how many the store counts
  /// @param bytes size of its files
  /// @param newBytes size of those that no former backup had
  record Made(String workspace, String id, long events, long bytes, long newBytes)
      implements BackupStep {}

  /// The backup of one workspace failed; others go on.
  ///
  /// @param why what went wrong and what to do
  record Failed(String workspace, String why) implements BackupStep {}
}
