package dev.agentmemory.daemon.offline;

import dev.agentmemory.daemon.backup.Backups;
import dev.agentmemory.daemon.config.DaemonConfig;
import dev.agentmemory.daemon.data.OwnDirectory;
import java.nio.file.Path;
import java.time.InstantSource;

/// The backup before a store's format is raised, for commands that open stores without a daemon.
public final class UpgradeBackup {

  private UpgradeBackup() {}

  /// Backs the store up if it has a former format and nothing else is configured.
  ///
  /// @param store the folder of a store that nobody has open
  /// @throws dev.agentmemory.types.MemoryException when that fails; the store is as it was
  public static void make(DaemonConfig config, Path store) {
    boolean account = store.equals(config.data().resolve(OwnDirectory.ACCOUNT));
    String name = account ? Backups.ACCOUNT : String.valueOf(store.getFileName());
    new Backups(InstantSource.system(), System::nanoTime, config).beforeUpgrade(name, store);
  }
}
