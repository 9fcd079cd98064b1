package dev.agentmemory.api;

import dev.agentmemory.types.WorkspaceName;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/// Makes backups of stores.
public interface Backups {

  /// Makes a backup of each store and waits for it, however long it takes. A backup that is being
  /// made already ends first.
  ///
  /// @param directory an absolute path on the daemon's machine
  /// @param workspaces empty for all stores
  /// @param withIndex whether the search index is copied, too; it can be rebuilt
  /// @param steps is called at least once a second, and for each store when it has ended; may throw
  ///   to end the backup
  /// @throws dev.agentmemory.types.MemoryException when the directory cannot be used or there is no
  ///   such workspace; what concerns one store is told as a step
  void backup(
      Path directory,
      List<WorkspaceName> workspaces,
      boolean withIndex,
      Consumer<BackupStep> steps);
}
