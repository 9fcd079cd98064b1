package dev.agentmemory.postgres;

import dev.agentmemory.postgres.config.PostgresConfig;
import dev.agentmemory.postgres.internal.PgPools;
import dev.agentmemory.postgres.internal.PgRows;
import dev.agentmemory.postgres.internal.PgSchema;
import dev.agentmemory.storage.RowStore;
import dev.agentmemory.storage.codec.Keys;
import dev.agentmemory.storage.codec.StoreHeader;
import dev.agentmemory.storage.read.MetaRows;
import dev.agentmemory.storage.read.View;
import dev.agentmemory.storage.rows.RowBatch;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.types.MemoryException;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.Optional;

/// The stores of one database. Whoever opens a store becomes its owner; a former owner cannot write
/// it any more.
public final class PostgresStores implements AutoCloseable {

  private final PgPools pools;
  private final PgSchema schema;
  private final RowStore.CommitQueue queue;
  private final InstantSource clock;

  private PostgresStores(
      PgPools pools, PgSchema schema, RowStore.CommitQueue queue, InstantSource clock) {
    this.pools = pools;
    this.schema = schema;
    this.queue = queue;
    this.clock = clock;
  }

  /// Connects to a database, and makes the tables that it lacks.
  ///
  /// @param queue of each store
  /// @throws MemoryException `STORAGE_FAILED` when the database cannot be reached or refuses
  public static PostgresStores open(
      PostgresConfig config, RowStore.CommitQueue queue, InstantSource clock) {
    var schema = new PgSchema(config.schema());
    PgPools pools = PgPools.open(config);
    try {
      pools.create(schema);
      return new PostgresStores(pools, schema, queue, clock);
    } catch (RuntimeException e) {
      pools.close();
      throw e;
    }
  }

  /// Takes over a store, or makes an empty one.
  ///
  /// @param name of the store
  /// @param zone in which its days begin; empty takes what the store has, UTC for a new one
  /// @throws MemoryException `CONFLICT` when the store has another zone, `UNSUPPORTED_FORMAT` when
  ///   a newer version wrote it, `STORAGE_FAILED` when the database refuses
  public PostgresStore open(String name, Optional<ZoneId> zone) {
    PgRows rows = PgRows.take(pools, schema, name, queue.figures());
    StoreHeader header = new MetaRows(View.of(rows)).header().orElseGet(() -> create(rows, zone));
    header.checkZone(zone);
    var store = new PostgresStore(rows, header, queue, clock);
    store.begin();
    return store;
  }

  private StoreHeader create(PgRows rows, Optional<ZoneId> zone) {
    StoreHeader fresh = StoreHeader.create(zone, clock.instant());
    RowBatch batch = rows.batch();
    batch.put(Table.META, Keys.STORE, fresh.encode());
    rows.write(batch);
    return fresh;
  }

  /// Closes the connections. To be called after the stores were closed.
  @Override
  public void close() {
    pools.close();
  }
}
