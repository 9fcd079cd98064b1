package dev.agentmemory.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.store.Commit;
import dev.agentmemory.store.registry.StoreNote;
import dev.agentmemory.store.registry.StoreRegistry;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.contract.RegistryContract;
import dev.agentmemory.testkit.postgres.PgServer;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The stores of a real database.
class PostgresRegistryTest extends RegistryContract {

  private static final WorkspaceName WORK = new WorkspaceName("work");

  private final String schema = PgServer.newSchema();
  private final PostgresStores stores = PostgresStoreTest.connect(PgServer.shared(), schema);
  private final PostgresStores later = PostgresStoreTest.connect(PgServer.shared(), schema);

  @AfterEach
  void close() {
    stores.close();
    later.close();
  }

  @Override
  protected StoreRegistry registry() {
    return stores;
  }

  @Override
  protected StoreRegistry another() {
    return later;
  }

  private static void fill(PostgresStores of, int events) {
    try (PostgresStore store = of.open(WORK)) {
      var _ = store.commit(Commit.append(TestEvents.messages("s", events)));
    }
  }

  private long events() throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(PgServer.shared().url(), PgServer.USER, PgServer.PASSWORD);
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("select count(*) from %s.events".formatted(schema))) {
      row.next();
      return row.getLong(1);
    }
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(PgServer.shared().url(), PgServer.USER, PgServer.PASSWORD);
        Statement statement = connection.createStatement()) {
      statement.execute(sql.formatted(schema));
    }
  }

  @Test
  void note_ofAFormerOwner_isNotKept() {
    fill(stores, 1);
    try (PostgresStore open = later.open(WORK)) {
      stores.note(WORK, new StoreNote(Optional.empty(), 1, 1, Optional.empty()));
      assertThat(open.stats().events()).isOne();
    }
    assertThat(later.note(WORK)).isEmpty();
  }

  @Test
  void deletedStore_leavesNoRow_alsoWhenItHasMoreThanAreDeletedAtOnce() throws SQLException {
    fill(stores, 6_000);
    assertThat(events()).isEqualTo(6_000);
    stores.delete(WORK);
    assertThat(events()).isZero();
  }

  @Test
  void storeOfALiveDaemon_isNotDeletedByAnother() {
    try (PostgresStore open = stores.open(WORK)) {
      assertThatThrownBy(() -> later.delete(WORK))
          .isInstanceOfSatisfying(
              MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_OWNER));
      assertThat(open.commit(Commit.append(TestEvents.messages("s", 1)))).hasSize(1);
    }
    later.delete(WORK);
    assertThat(stores.names()).isEmpty();
  }

  @Test
  void ownerOfADeletedStore_isFenced() throws SQLException {
    try (PostgresStore open = stores.open(WORK)) {
      execute("delete from %1$s.daemons");
      later.delete(WORK);
      assertThatThrownBy(() -> open.commit(Commit.append(TestEvents.messages("s", 1))))
          .isInstanceOfSatisfying(
              MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_OWNER));
    }
    assertThat(events()).isZero();
  }

  @Test
  void deletionThatWasCutShort_isFinishedByTheNextProcess() throws SQLException {
    fill(stores, 3);
    execute("update %1$s.stores set name = '@deleted-' || id, epoch = epoch + 1");
    assertThat(stores.names()).isEmpty();
    assertThat(events()).isEqualTo(3);

    PostgresStoreTest.connect(PgServer.shared(), schema).close();

    assertThat(events()).isZero();
  }
}
