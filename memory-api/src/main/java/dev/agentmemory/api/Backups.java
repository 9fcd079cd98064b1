package dev.agentmemory.api;

import dev.agentmemory.types.WorkspaceName;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Makes backups of stores.
public interface Backups {

  /// Where a backup is written, and with which key.
  ///
  /// @param directory an absolute path on the daemon's machine
  /// @param keyFile an absolute path on the daemon's machine: the file of the key with which the
  ///   backup is encrypted; empty for the one that is configured, or none
  record Target(Path directory, Optional<Path> keyFile) {

    /// Encrypted only when a key file is configured.
    public static Target of(Path directory) {
      return new Target(directory, Optional.empty());
    }

    /// The same directory, encrypted.
    public Target withKeyFile(Path file) {
      return new Target(directory, Optional.of(file));
    }
  }

  /// Makes a backup of each store and waits for it without a time limit. A backup that is already
  /// running ends first.
  ///
  /// @param workspaces empty for all stores
  /// @param withIndex whether the search index is copied, too; it can be rebuilt
  /// @param steps is called at least once a second, and for each store when it has ended; may throw
  ///   to end the backup
  /// @throws dev.agentmemory.types.MemoryException when the directory or the key file cannot be
  ///   used or there is no such workspace; a failure of one store is reported as a step
  void backup(
      Target target, List<WorkspaceName> workspaces, boolean withIndex, Consumer<BackupStep> steps);
}
