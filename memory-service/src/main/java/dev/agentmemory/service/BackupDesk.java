package dev.agentmemory.service;

import dev.agentmemory.store.BackupStep;
import dev.agentmemory.types.WorkspaceName;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/// Makes backups of the daemon's stores.
public interface BackupDesk {

  /// Makes a backup of each store and waits for it; a backup that goes on already ends first.
  ///
  /// @param directory a whole path
  /// @param workspaces empty for all stores of the daemon
  /// @param steps hears at least once a second, and of each store how it ended; may throw to end
  ///   the backup
  /// @throws dev.agentmemory.types.MemoryException when the directory cannot be used or there is no
  ///   such workspace; what concerns one store is told as a step
  void backup(
      Path directory,
      List<WorkspaceName> workspaces,
      boolean withIndex,
      Consumer<BackupStep> steps);
}
