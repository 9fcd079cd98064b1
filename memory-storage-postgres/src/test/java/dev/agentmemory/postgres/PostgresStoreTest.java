package dev.agentmemory.postgres;

import dev.agentmemory.postgres.config.PostgresConfig;
import dev.agentmemory.storage.RowStore.CommitQueue;
import dev.agentmemory.storage.measure.CommitFigures;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.testkit.contract.EveryRowStoreContract;
import dev.agentmemory.testkit.postgres.PgServer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/// The contracts of a store, in a real database.
@Tag("slow")
class PostgresStoreTest extends EveryRowStoreContract {

  private static PostgresStores stores;
  private static int opened;

  static PostgresConfig config(PgServer server, String schema) {
    return new PostgresConfig(
        server.url(), PgServer.USER, PgServer.PASSWORD, schema, 2, 4, Duration.ofSeconds(10));
  }

  static PostgresStores connect(PgServer server, String schema) {
    return PostgresStores.open(
        config(server, schema),
        new CommitQueue(1000, 8 << 20, CommitFigures.untimed()),
        InstantSource.system());
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
    return stores.open("store" + opened, Optional.empty());
  }
}
