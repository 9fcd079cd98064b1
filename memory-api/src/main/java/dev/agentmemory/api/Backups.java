package dev.agentmemory.api;

import dev.agentmemory.types.WorkspaceName;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/// Makes backups of stores.
public interface Backups {

  /// Makes a backup of each store and waits for it without a time limit. A backup that is already
  /// running ends first.
  ///
  /// @param directory an absolute path on the daemon's machine
  /// @param workspaces empty for all stores
  /// @param withIndex whether the search index is copied, too; it can be rebuilt
  /// @param steps is called at least once a second, and for each store when it has ended; may throw
  ///   to end the backup
  /// @throws dev.agentmemory.types.MemoryException when the directory cannot be used or there is no
  ///   such workspace; a failure of one store is reported as a step
  void backup(
      Path directory,
      List<WorkspaceName> workspaces,
      boolean withIndex,
      Consumer<BackupStep> steps);
}
