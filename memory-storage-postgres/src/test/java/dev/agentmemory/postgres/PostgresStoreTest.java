package dev.agentmemory.postgres;

import dev.agentmemory.postgres.config.PostgresConfig;
import dev.agentmemory.storage.RowStore.CommitQueue;
import dev.agentmemory.storage.measure.CommitFigures;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.testkit.contract.CommitContract;
import dev.agentmemory.testkit.contract.ErasureContract;
import dev.agentmemory.testkit.contract.LogContract;
import dev.agentmemory.testkit.contract.ModelContract;
import dev.agentmemory.testkit.contract.OutboxContract;
import dev.agentmemory.testkit.contract.PositionContract;
import dev.agentmemory.testkit.contract.RecordContract;
import dev.agentmemory.testkit.contract.SegmentContract;
import dev.agentmemory.testkit.contract.SharedContract;
import dev.agentmemory.testkit.contract.TocContract;
import dev.agentmemory.testkit.contract.UsageContract;
import dev.agentmemory.testkit.postgres.PgServer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/// The contracts of a store, in a real database.
@Tag("slow")
class PostgresStoreTest {

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

  private static MemoryStore fresh() {
    opened++;
    return stores.open("store" + opened, Optional.empty());
  }

  @Nested
  class Commits extends CommitContract {
    @Override
    protected MemoryStore open() {
      return fresh();
    }
  }

  @Nested
  class Erasures extends ErasureContract {
    @Override
    protected MemoryStore open() {
      return fresh();
    }
  }

  @Nested
  class Logs extends LogContract {
    @Override
    protected MemoryStore open() {
      return fresh();
    }
  }

  @Nested
  class Outboxs extends OutboxContract {
    @Override
    protected MemoryStore open() {
      return fresh();
    }
  }

  @Nested
  class Positions extends PositionContract {
    @Override
    protected MemoryStore open() {
      return fresh();
    }
  }

  @Nested
  class Tocs extends TocContract {
    @Override
    protected MemoryStore open() {
      return fresh();
    }
  }

  @Nested
  class Records extends RecordContract {
    @Override
    protected MemoryStore open() {
      return fresh();
    }
  }

  @Nested
  class Usages extends UsageContract {
    @Override
    protected MemoryStore open() {
      return fresh();
    }
  }

  @Nested
  class Shared extends SharedContract {
    @Override
    protected MemoryStore open() {
      return fresh();
    }
  }

  @Nested
  class Segments extends SegmentContract {
    @Override
    protected MemoryStore open() {
      return fresh();
    }
  }

  @Nested
  class Model extends ModelContract {
    @Override
    protected MemoryStore open() {
      return fresh();
    }

    @Override
    protected MemoryStore reopen(MemoryStore store) {
      store.close();
      return stores.open("store" + opened, Optional.empty());
    }
  }
}
