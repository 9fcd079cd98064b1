package dev.agentmemory.engine.internal.stores;

import dev.agentmemory.api.metrics.EngineMetrics;
import dev.agentmemory.engine.backup.BackupMaker;
import dev.agentmemory.engine.config.EngineConfig;
import dev.agentmemory.engine.data.Links;
import dev.agentmemory.engine.data.OwnDirectory;
import dev.agentmemory.rocksdb.RocksStore;
import dev.agentmemory.rocksdb.StoreMemory;
import dev.agentmemory.rocksdb.config.EngineLibrary;
import dev.agentmemory.rocksdb.folder.FolderRegistry;
import dev.agentmemory.storage.measure.CommitFigures;
import dev.agentmemory.store.registry.Ownership;
import dev.agentmemory.store.registry.StoreRegistry;
import dev.agentmemory.types.WorkspaceName;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;

/// Stores in folders of the data directory, in RocksDB. One of a former format is backed up before
/// it is upgraded.
public final class FolderStores implements EngineStores {

  private final EngineConfig config;
  private final BackupMaker backups;
  private final StoreMemory memory;
  private final FolderRegistry folders;
  private final String shared;

  /// @param libraries the folder to which native libraries are unpacked
  /// @param shared what the store of all workspaces is called
  /// @param figures is told of the commits of all stores
  public FolderStores(
      EngineConfig config,
      Path libraries,
      InstantSource clock,
      BackupMaker backups,
      String shared,
      CommitFigures figures) {
    EngineLibrary.loadFrom(libraries);
    this.config = config;
    this.backups = backups;
    this.shared = shared;
    this.memory = new StoreMemory(config.storage(), figures);
    Path data = config.data();
    this.folders =
        new FolderRegistry(
            data,
            config.db(),
            data.resolve(OwnDirectory.ACCOUNT),
            data.resolve(OwnDirectory.INDEX),
            config.storage(),
            clock,
            memory);
    folders.finishDeletions();
  }

  @Override
  public StoreRegistry registry() {
    return folders;
  }

  @Override
  public OpenedStore open(WorkspaceName name) {
    return open(name.value());
  }

  @Override
  public OpenedStore openShared() {
    return open(shared);
  }

  private OpenedStore open(String name) {
    Path folder = config.db().resolve(name);
    Links.refuseWithin(folder);
    backups.beforeUpgrade(name, folder);
    return opened(folders.open(folder));
  }

  @Override
  public OpenedStore openAccount() {
    backups.beforeUpgrade(BackupMaker.ACCOUNT, config.data().resolve(OwnDirectory.ACCOUNT));
    return opened(folders.openAccount());
  }

  private static OpenedStore opened(RocksStore store) {
    return new OpenedStore(
        store, Ownership.EXCLUSIVE, Optional.of(store::checkpoint), store::beginCompaction);
  }

  /// Each store says itself what is wrong with it.
  @Override
  public Optional<String> problem() {
    return Optional.empty();
  }

  @Override
  public EngineMetrics.BlockCache cache() {
    return new EngineMetrics.BlockCache(memory.usedBytes(), config.storage().blockCacheBytes());
  }

  @Override
  public void close() {
    memory.close();
  }
}
