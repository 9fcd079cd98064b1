package dev.agentmemory.engine.internal.stores;

import dev.agentmemory.api.metrics.EngineMetrics;
import dev.agentmemory.engine.config.EngineConfig;
import dev.agentmemory.engine.data.DaemonId;
import dev.agentmemory.postgres.PostgresStore;
import dev.agentmemory.postgres.PostgresStores;
import dev.agentmemory.postgres.config.DaemonIdentity;
import dev.agentmemory.postgres.config.PostgresConfig;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.storage.RowStore;
import dev.agentmemory.storage.measure.CommitFigures;
import dev.agentmemory.store.registry.StoreRegistry;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.random.RandomGenerator;

/// Stores in a PostgreSQL database. Their files are the database's, which backs them up itself.
public final class DatabaseStores implements EngineStores {

  private final PostgresStores stores;

  /// @param figures is told of the commits of all stores
  /// @throws MemoryException `STORAGE_FAILED` when the database cannot be reached or refuses, or
  ///   the id of this daemon can neither be read nor written
  public DatabaseStores(
      EngineConfig config, PostgresConfig database, SystemServices system, CommitFigures figures) {
    var queue =
        new RowStore.CommitQueue(
            config.storage().queuedCommits(), config.storage().queuedBytes(), figures);
    this.stores =
        PostgresStores.open(
            database,
            identity(config.data(), system.random()),
            config.storage().zone(),
            queue,
            system.clock(),
            system.ticker());
  }

  private static DaemonIdentity identity(Path data, RandomGenerator random) {
    return new DaemonIdentity(DaemonId.of(data, random), "%s:%s".formatted(host(), data));
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "?";
    }
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

  private static OpenedStore opened(PostgresStore store) {
    return new OpenedStore(store, store.ownership(), Optional.empty(), () -> {});
  }

  @Override
  public Optional<String> problem() {
    return stores.problem();
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
