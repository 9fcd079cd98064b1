package dev.agentmemory.postgres;

import dev.agentmemory.postgres.config.DaemonIdentity;
import dev.agentmemory.postgres.config.PostgresConfig;
import dev.agentmemory.postgres.internal.PgDirectory;
import dev.agentmemory.postgres.internal.PgLease;
import dev.agentmemory.postgres.internal.PgPools;
import dev.agentmemory.postgres.internal.PgRows;
import dev.agentmemory.postgres.internal.PgSchema;
import dev.agentmemory.spi.Ticker;
import dev.agentmemory.storage.RowStore;
import dev.agentmemory.storage.codec.Keys;
import dev.agentmemory.storage.codec.StoreHeader;
import dev.agentmemory.storage.read.MetaRows;
import dev.agentmemory.storage.read.View;
import dev.agentmemory.storage.rows.RowBatch;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.store.registry.StoreNote;
import dev.agentmemory.store.registry.StoreRegistry;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// The stores of one database, which several daemons may share. Whoever opens a store becomes its
/// owner until it closes it, or has given no sign of life for so long that another daemon may take
/// it; a former owner neither writes nor reads it any more.
public final class PostgresStores implements StoreRegistry, AutoCloseable {

  /// No workspace can be called that.
  private static final String ACCOUNT = "@account";

  private final PgPools pools;
  private final PgSchema schema;
  private final PgDirectory directory;
  private final PgLease lease;
  private final Optional<ZoneId> zone;
  private final RowStore.CommitQueue queue;
  private final InstantSource clock;

  /// With which each store was opened last by this process.
  private final Map<WorkspaceName, Long> epochs = new ConcurrentHashMap<>();

  private PostgresStores(
      PgPools pools,
      PgSchema schema,
      PgLease lease,
      Optional<ZoneId> zone,
      RowStore.CommitQueue queue,
      InstantSource clock) {
    this.pools = pools;
    this.schema = schema;
    this.directory = new PgDirectory(pools, schema);
    this.lease = lease;
    this.zone = zone;
    this.queue = queue;
    this.clock = clock;
  }

  /// Connects to a database, makes the tables that it lacks, registers the daemon, and deletes what
  /// is left of stores whose deletion was cut short.
  ///
  /// @param daemon that opens the stores; a former process with the same id loses them
  /// @param zone in which the days of the stores begin; empty takes what a store has, UTC for a new
  ///   one
  /// @param queue of each store
  /// @throws MemoryException `STORAGE_FAILED` when the database cannot be reached or refuses
  public static PostgresStores open(
      PostgresConfig config,
      DaemonIdentity daemon,
      Optional<ZoneId> zone,
      RowStore.CommitQueue queue,
      InstantSource clock,
      Ticker ticker) {
    var schema = new PgSchema(config.schema());
    PgPools pools = PgPools.open(config);
    try {
      pools.create(schema);
      new PgDirectory(pools, schema).finishDeletions();
      PgLease lease = PgLease.begin(pools, schema, daemon, config.lease(), ticker);
      return new PostgresStores(pools, schema, lease, zone, queue, clock);
    } catch (RuntimeException e) {
      pools.close();
      throw e;
    }
  }

  /// Takes a store that no other daemon has, or makes an empty one.
  ///
  /// @throws MemoryException `NOT_OWNER` when another daemon has it, `CONFLICT` when the store has
  ///   another zone, `UNSUPPORTED_FORMAT` when a newer version wrote it, `STORAGE_FAILED` when the
  ///   database refuses
  @Override
  public PostgresStore open(WorkspaceName name) {
    PgRows rows = take(name.value());
    epochs.put(name, rows.epoch().orElseThrow());
    return open(rows);
  }

  /// Whoever cannot open a store must not take it from one who can.
  private PgRows take(String name) {
    PgRows.peek(pools, schema, name)
        .flatMap(rows -> new MetaRows(View.of(rows)).header())
        .ifPresent(header -> header.checkZone(zone));
    return PgRows.take(pools, schema, name, lease, queue.figures());
  }

  private PostgresStore open(PgRows rows) {
    Optional<StoreHeader> found = new MetaRows(View.of(rows)).header();
    StoreHeader header =
        found.map(StoreHeader::opened).orElseGet(() -> StoreHeader.create(zone, clock.instant()));
    header.checkZone(zone);
    if (!found.equals(Optional.of(header))) {
      RowBatch batch = rows.batch();
      batch.put(Table.META, Keys.STORE, header.encode());
      rows.write(batch);
    }
    var store = new PostgresStore(rows, header, queue, clock);
    store.begin();
    return store;
  }

  @Override
  public List<WorkspaceName> names() {
    return directory.names().stream()
        .flatMap(name -> WorkspaceName.of(name).stream())
        .sorted()
        .toList();
  }

  @Override
  public boolean has(WorkspaceName name) {
    return directory.has(name.value());
  }

  /// Only stores are in the database.
  @Override
  public boolean isOccupied(WorkspaceName name) {
    return has(name);
  }

  @Override
  public Optional<StoreNote> note(WorkspaceName name) {
    return directory.note(name.value());
  }

  /// Does nothing when another daemon has taken the store over since this one has opened it.
  @Override
  public void note(WorkspaceName name, StoreNote note) {
    Long epoch = epochs.get(name);
    if (epoch != null) {
      directory.note(name.value(), epoch, note);
    }
  }

  /// The rows of all stores share the files of the database; what one of them takes is not known.
  @Override
  public long bytes(WorkspaceName name) {
    return 0;
  }

  @Override
  public void delete(WorkspaceName name) {
    directory.delete(name.value(), lease);
  }

  @Override
  public boolean hasAccount() {
    return directory.has(ACCOUNT);
  }

  @Override
  public PostgresStore openAccount() {
    return open(take(ACCOUNT));
  }

  /// Why no store can be used, if that is so.
  public Optional<String> problem() {
    return lease.problem();
  }

  /// Leaves the other daemons and closes the connections. To be called after the stores were
  /// closed.
  @Override
  public void close() {
    lease.close();
    pools.close();
  }
}
