package dev.agentmemory.postgres;

import dev.agentmemory.postgres.config.DaemonIdentity;
import dev.agentmemory.postgres.config.PostgresAddress;
import dev.agentmemory.postgres.config.PostgresConfig;
import dev.agentmemory.spi.Ticker;
import dev.agentmemory.storage.RowStore.CommitQueue;
import dev.agentmemory.storage.measure.CommitFigures;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.testkit.contract.EveryRowStoreContract;
import dev.agentmemory.testkit.postgres.PgServer;
import dev.agentmemory.types.WorkspaceName;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/// The contracts of a store, in a real database.
@Tag("slow")
class PostgresStoreTest extends EveryRowStoreContract {

  private static final AtomicInteger DAEMONS = new AtomicInteger();

  private static PostgresStores stores;
  private static int opened;

  static PostgresConfig config(PgServer server, String schema) {
    return config(server.port(), schema);
  }

  static PostgresConfig config(int port, String schema) {
    return PostgresConfig.of(
            PostgresAddress.of("postgresql://127.0.0.1:%d/postgres".formatted(port)),
            PgServer.USER,
            PgServer.PASSWORD)
        .withSchema(schema);
  }

  static PostgresStores connect(PgServer server, String schema) {
    return connect(server, schema, Optional.empty());
  }

  static PostgresStores connect(PgServer server, String schema, Optional<ZoneId> zone) {
    return connect(config(server, schema), zone);
  }

  static PostgresStores connect(PostgresConfig config) {
    return connect(config, Optional.empty());
  }

  private static PostgresStores connect(PostgresConfig config, Optional<ZoneId> zone) {
    return connect(config, "daemon" + DAEMONS.incrementAndGet(), zone, System::nanoTime);
  }

  /// As a process of a daemon.
  ///
  /// @param id of the daemon
  static PostgresStores connect(PostgresConfig config, String id) {
    return connect(config, id, System::nanoTime);
  }

  static PostgresStores connect(PostgresConfig config, String id, Ticker ticker) {
    return connect(config, id, Optional.empty(), ticker);
  }

  private static PostgresStores connect(
      PostgresConfig config, String id, Optional<ZoneId> zone, Ticker ticker) {
    return PostgresStores.open(
        config,
        new DaemonIdentity(id, "host:/data/" + id),
        zone,
        new CommitQueue(1000, 8 << 20, CommitFigures.untimed()),
        InstantSource.system(),
        ticker);
  }

  @BeforeAll
  static void connect() {
    stores = connect(PgServer.shared(), PgServer.newSchema());
  }

  @AfterAll
  static void disconnect() {
    stores.close();
  }

  @Override
  protected MemoryStore fresh() {
    opened++;
    return open();
  }

  @Override
  protected MemoryStore reopened(MemoryStore store) {
    store.close();
    return open();
  }

  private static MemoryStore open() {
    return stores.open(new WorkspaceName("store" + opened));
  }
}
