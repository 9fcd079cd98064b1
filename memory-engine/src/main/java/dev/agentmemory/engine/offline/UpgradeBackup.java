package dev.agentmemory.engine.offline;

import dev.agentmemory.engine.backup.BackupMaker;
import dev.agentmemory.engine.config.EngineConfig;
import dev.agentmemory.storage.StoreLocation;
import java.time.InstantSource;

/// The backup before a store's format is raised, for commands that open stores without a daemon.
public final class UpgradeBackup {

  private UpgradeBackup() {}

  /// Backs the store up if it has a former format and nothing else is configured.
  ///
  /// @param store that nobody has open
  /// @throws dev.agentmemory.types.MemoryException when that fails; the store is as it was
  public static void make(EngineConfig config, StoreLocation store) {
    new BackupMaker(InstantSource.system(), System::nanoTime, config)
        .beforeUpgrade(OfflineStores.name(store), store.directory());
  }
}
