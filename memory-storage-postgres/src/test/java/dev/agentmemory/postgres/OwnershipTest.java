package dev.agentmemory.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.postgres.config.PostgresConfig;
import dev.agentmemory.storage.RowStore.CommitQueue;
import dev.agentmemory.storage.measure.CommitFigures;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.StoreUsage;
import dev.agentmemory.testkit.Await;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.postgres.PgServer;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Two processes that open one store, each with connections of its own.
class OwnershipTest {

  private final String schema = PgServer.newSchema();
  private final PostgresStores one = PostgresStoreTest.connect(PgServer.shared(), schema);
  private final PostgresStores other = PostgresStoreTest.connect(PgServer.shared(), schema);

  @AfterEach
  void close() {
    one.close();
    other.close();
  }

  private static Event event(String text) {
    return TestEvents.message("s", TestEvents.START, text);
  }

  private static void append(PostgresStore store, Event event) {
    var _ = store.commit(Commit.append(List.of(event)));
  }

  private static void assertRefused(ErrorCode code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(MemoryException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  @Test
  void secondOpener_readsWhatTheFirstWasAnswered_andFencesIt() {
    PostgresStore first = one.open("work", Optional.empty());
    append(first, event("one"));
    PostgresStore second = other.open("work", Optional.empty());

    assertThat(second.events().event(event("one").id())).isPresent();
    assertRefused(ErrorCode.NOT_OWNER, () -> append(first, event("two")));
    assertRefused(ErrorCode.NOT_OWNER, () -> append(first, event("three")));
    assertRefused(ErrorCode.NOT_OWNER, () -> first.events().event(event("one").id()));
    append(second, event("four"));
    assertThat(second.events().event(event("two").id())).isEmpty();
    assertThat(second.verify(10)).isEmpty();
    first.close();
    second.close();
  }

  @Test
  void databaseThatLostACommit_isNotTakenForAnotherOwner() throws SQLException {
    try (PostgresStore store = one.open("work", Optional.empty())) {
      append(store, event("one"));
      lose("work");

      assertThatThrownBy(() -> append(store, event("two")))
          .isInstanceOfSatisfying(
              MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_FAILED));
      // The rows are there, so the store goes on.
      Await.until("it was opened again", () -> store.problem().isEmpty());
      append(store, event("three"));
      assertThat(store.verify(10)).isEmpty();
    }
  }

  /// Takes the count of commits back, as a standby has it that lacks the last one.
  private void lose(String store) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(PgServer.shared().url(), PgServer.USER, PgServer.PASSWORD);
        PreparedStatement statement =
            connection.prepareStatement(
                "update %s.stores set commit_no = commit_no - 1 where name = ?"
                    .formatted(schema))) {
      statement.setString(1, store);
      assertThat(statement.executeUpdate()).isEqualTo(1);
    }
  }

  @Test
  void sizes_areThoseOfTheTables() {
    try (PostgresStore store = one.open("work", Optional.empty())) {
      append(store, event("one"));
      StoreUsage usage = store.usage();

      assertThat(usage.diskBytes()).isPositive().isEqualTo(store.stats().diskBytes());
      assertThat(usage.tables().stream().mapToLong(StoreUsage.Table::diskBytes).sum())
          .isEqualTo(usage.diskBytes());
    }
  }

  @Test
  void stores_ofOneDatabase_doNotSeeEachOther() {
    try (PostgresStore first = one.open("first", Optional.empty());
        PostgresStore second = other.open("second", Optional.empty())) {
      append(first, event("one"));

      assertThat(second.stats().events()).isZero();
      assertThat(second.events().event(event("one").id())).isEmpty();
      append(second, event("one"));
      assertThat(second.stats().outboxHead()).isEqualTo(1);
    }
  }

  @Test
  void zone_ofAStore_staysTheFirst() {
    one.open("work", Optional.of(ZoneId.of("Asia/Tokyo"))).close();

    assertRefused(
        ErrorCode.CONFLICT, () -> other.open("work", Optional.of(ZoneId.of("Europe/Paris"))));
    try (PostgresStore store = other.open("work", Optional.empty())) {
      assertThat(store.zone()).isEqualTo(ZoneId.of("Asia/Tokyo"));
    }
  }

  @Test
  void databaseThatCannotBeReached_isRefusedInASentence() {
    var config =
        new PostgresConfig(
            "jdbc:postgresql://127.0.0.1:1/none",
            PgServer.USER,
            PgServer.PASSWORD,
            schema,
            1,
            1,
            Duration.ofSeconds(1));
    assertThatThrownBy(() ->
            PostgresStores.open(
                config, new CommitQueue(1, 1, CommitFigures.untimed()), InstantSource.system()))
        .isInstanceOfSatisfying(
            MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_FAILED))
        .hasMessageContaining("cannot be reached")
        .hasMessageNotContaining(PgServer.PASSWORD);
  }
}
