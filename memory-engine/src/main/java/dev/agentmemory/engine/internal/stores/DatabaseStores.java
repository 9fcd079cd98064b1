package dev.agentmemory.engine.internal.stores;

import dev.agentmemory.api.metrics.EngineMetrics;
import dev.agentmemory.engine.config.EngineConfig;
import dev.agentmemory.postgres.PostgresStores;
import dev.agentmemory.postgres.config.PostgresConfig;
import dev.agentmemory.storage.RowStore;
import dev.agentmemory.storage.measure.CommitFigures;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.registry.StoreRegistry;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.time.InstantSource;
import java.util.Optional;

/// Stores in a PostgreSQL database. Their files are the database's, which backs them up itself.
public final class DatabaseStores implements EngineStores {

  private final PostgresStores stores;

  /// @param figures is told of the commits of all stores
  /// @throws MemoryException `STORAGE_FAILED` when the database cannot be reached or refuses
  public DatabaseStores(
      EngineConfig config, PostgresConfig database, InstantSource clock, CommitFigures figures) {
    var queue =
        new RowStore.CommitQueue(
            config.storage().queuedCommits(), config.storage().queuedBytes(), figures);
    this.stores = PostgresStores.open(database, config.storage().zone(), queue, clock);
  }

  @Override
  public StoreRegistry registry() {
    return stores;
  }

  @Override
  public OpenedStore open(WorkspaceName name) {
    return opened(stores.open(name));
  }

  @Override
  public OpenedStore openShared() {
    throw new MemoryException(
        ErrorCode.INVALID_FIELD,
        "multi_agent_mode = unified needs storage.engine = rocksdb; in a database each workspace has"
            + " a store of its own");
  }

  @Override
  public OpenedStore openAccount() {
    return opened(stores.openAccount());
  }

  private static OpenedStore opened(MemoryStore store) {
    return new OpenedStore(store, Optional.empty(), () -> {});
  }

  /// The database's memory is not the daemon's.
  @Override
  public EngineMetrics.BlockCache cache() {
    return new EngineMetrics.BlockCache(0, 0);
  }

  @Override
  public void close() {
    stores.close();
  }
}
