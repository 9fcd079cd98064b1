package dev.agentmemory.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.postgres.config.PostgresConfig;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.StoreUsage;
import dev.agentmemory.testkit.Await;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.postgres.PgServer;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Daemons that open one store, each with connections of its own.
class OwnershipTest {

  private static final WorkspaceName WORK = new WorkspaceName("work");

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration SHORTEST = Duration.ofSeconds(3);

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

  private void execute(String sql) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(PgServer.shared().url(), PgServer.USER, PgServer.PASSWORD);
        Statement statement = connection.createStatement()) {
      assertThat(statement.executeUpdate(sql.formatted(schema))).isEqualTo(1);
    }
  }

  private PostgresStores connect(String id, Duration lease) {
    return PostgresStoreTest.connect(
        PostgresStoreTest.config(PgServer.shared(), schema).withLease(lease), id);
  }

  @Test
  void storeOfALiveDaemon_isRefusedToOthers_untilItIsClosed() {
    try (PostgresStore first = one.open(WORK)) {
      append(first, event("one"));
      assertThatThrownBy(() -> other.open(WORK))
          .isInstanceOfSatisfying(
              MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_OWNER))
          .hasMessageContaining("host:/data/");
      append(first, event("two"));
    }
    try (PostgresStore second = other.open(WORK)) {
      assertThat(second.events().event(event("two").id())).isPresent();
    }
  }

  @Test
  void daemonThatLeaves_givesUpWhatItDidNotClose() {
    PostgresStores leaver = connect("leaver", MINUTE);
    PostgresStore kept = leaver.open(WORK);
    leaver.close();

    other.open(WORK).close();
    kept.close();
  }

  @Test
  void daemonWithoutASignOfLife_losesAllItsStores_andBeginsAnew() throws SQLException {
    try (PostgresStores silent = connect("silent", SHORTEST)) {
      PostgresStore taken = silent.open(WORK);
      PostgresStore untouched = silent.open(new WorkspaceName("untouched"));
      append(taken, event("one"));
      PostgresStore next = takenOver("silent");

      assertThat(next.events().event(event("one").id())).isPresent();
      assertRefused(ErrorCode.NOT_OWNER, () -> append(taken, event("two")));
      Await.until("the loss is noticed", () -> untouched.ownership().isLost());
      assertRefused(ErrorCode.NOT_OWNER, () -> untouched.events().event(event("one").id()));
      assertRefused(ErrorCode.NOT_OWNER, () -> append(untouched, event("two")));
      untouched.close();
      Await.until("it has registered again", () -> opens(silent, "untouched"));
      assertRefused(ErrorCode.NOT_OWNER, () -> silent.open(WORK));
      append(next, event("four"));
      next.close();
      taken.close();
    }
  }

  private static boolean opens(PostgresStores stores, String name) {
    try (PostgresStore store = stores.open(new WorkspaceName(name))) {
      append(store, event("three"));
      return true;
    } catch (MemoryException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.NOT_OWNER);
      return false;
    }
  }

  /// Takes a store whose owner's lease is over for the database: it renews it at any moment, so
  /// this may need several tries.
  private PostgresStore takenOver(String daemon) throws SQLException {
    while (true) {
      execute(
          "update %%s.daemons set expires = clock_timestamp() - interval '1 second' where id = '%s'"
              .formatted(daemon));
      try {
        return other.open(WORK);
      } catch (MemoryException e) {
        assertThat(e.code()).isEqualTo(ErrorCode.NOT_OWNER);
      }
    }
  }

  /// By its own clock, before the database gives its stores to others.
  @Test
  void daemonThatHasNotRenewedForTwoThirdsOfTheLease_answersNothing() {
    var now = new AtomicLong();
    try (PostgresStores late =
            PostgresStoreTest.connect(
                PostgresStoreTest.config(PgServer.shared(), schema).withLease(MINUTE),
                "late",
                now::get);
        PostgresStore store = late.open(WORK)) {
      append(store, event("one"));
      now.addAndGet(Duration.ofMillis(39_999).toNanos());
      assertThat(store.events().event(event("one").id())).isPresent();
      store.ownership().check();

      now.addAndGet(Duration.ofMillis(1).toNanos());
      assertRefused(ErrorCode.STORAGE_FAILED, () -> store.events().event(event("one").id()));
      assertRefused(ErrorCode.STORAGE_FAILED, () -> append(store, event("two")));
      assertRefused(ErrorCode.STORAGE_FAILED, store.ownership()::check);
      assertThat(store.ownership().isLost()).isFalse();
    }
  }

  @Test
  void twoDaemonsWithOneId_areTold_andDoNotTakeTurns() {
    try (PostgresStores original = connect("same", SHORTEST);
        PostgresStores copy = connect("same", SHORTEST)) {
      Await.until(
          "the mistake is told",
          () -> original.problem().filter(why -> why.contains("the same id (same)")).isPresent());
      assertRefused(ErrorCode.NOT_OWNER, () -> original.open(WORK));
      copy.open(WORK).close();
      assertThat(copy.problem()).isEmpty();
    }
  }

  @Test
  void restartedDaemon_readsWhatItWasAnswered_andFencesTheFormerProcess() {
    PostgresStores former = connect("restarted", MINUTE);
    PostgresStores restarted = connect("restarted", MINUTE);
    PostgresStore first = former.open(WORK);
    append(first, event("one"));
    PostgresStore second = restarted.open(WORK);

    assertThat(second.events().event(event("one").id())).isPresent();
    assertRefused(ErrorCode.NOT_OWNER, () -> append(first, event("two")));
    assertRefused(ErrorCode.NOT_OWNER, () -> append(first, event("three")));
    assertRefused(ErrorCode.NOT_OWNER, () -> first.events().event(event("one").id()));
    append(second, event("four"));
    assertThat(second.events().event(event("two").id())).isEmpty();
    assertThat(second.verify(10)).isEmpty();
    first.close();
    second.close();
    former.close();
    restarted.close();
  }

  @Test
  void databaseThatLostACommit_isNotTakenForAnotherOwner_andNothingIsBuiltOnIt()
      throws SQLException {
    try (PostgresStore store = one.open(WORK)) {
      append(store, event("one"));
      lose("work");

      assertRefused(ErrorCode.STORAGE_FAILED, () -> append(store, event("two")));
      Await.until(
          "what was lost is told",
          () -> store.problem().filter(why -> why.contains("it has lost commits")).isPresent());
      assertRefused(ErrorCode.STORE_DAMAGED, () -> append(store, event("two")));
      assertThat(store.events().event(event("two").id())).isEmpty();
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
  void interruptedCaller_doesNotStopTheStore() {
    try (PostgresStore store = one.open(WORK)) {
      Thread.currentThread().interrupt();
      append(store, event("one"));
      assertThat(Thread.interrupted()).isTrue();
      assertThat(store.problem()).isEmpty();
      append(store, event("two"));
    }
  }

  @Test
  void sizes_areThoseOfTheTables() {
    try (PostgresStore store = one.open(WORK)) {
      append(store, event("one"));
      StoreUsage usage = store.usage();

      assertThat(usage.diskBytes()).isPositive().isEqualTo(store.stats().diskBytes());
      assertThat(usage.tables().stream().mapToLong(StoreUsage.Table::diskBytes).sum())
          .isEqualTo(usage.diskBytes());
    }
  }

  @Test
  void stores_ofOneDatabase_doNotSeeEachOther() {
    try (PostgresStore first = one.open(new WorkspaceName("first"));
        PostgresStore second = other.open(new WorkspaceName("second"))) {
      append(first, event("one"));

      assertThat(second.stats().events()).isZero();
      assertThat(second.events().event(event("one").id())).isEmpty();
      append(second, event("one"));
      assertThat(second.stats().outboxHead()).isEqualTo(1);
    }
  }

  @Test
  void zone_ofAStore_staysTheFirst() {
    try (PostgresStores tokyo = connectIn("Asia/Tokyo");
        PostgresStores paris = connectIn("Europe/Paris")) {
      try (PostgresStore owned = tokyo.open(WORK)) {
        assertRefused(ErrorCode.CONFLICT, () -> paris.open(WORK));
        // Who cannot open it has not taken it over.
        append(owned, event("one"));
      }
      try (PostgresStore store = other.open(WORK)) {
        assertThat(store.zone()).isEqualTo(ZoneId.of("Asia/Tokyo"));
      }
    }
  }

  private PostgresStores connectIn(String zone) {
    return PostgresStoreTest.connect(PgServer.shared(), schema, Optional.of(ZoneId.of(zone)));
  }

  @Test
  void databaseThatCannotBeReached_isRefusedInASentence() {
    PostgresConfig config =
        PostgresStoreTest.config(/* port= */ 1, schema).withTimeout(Duration.ofSeconds(1));
    assertThatThrownBy(() -> PostgresStoreTest.connect(config))
        .isInstanceOfSatisfying(
            MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_FAILED))
        .hasMessageContaining("cannot be reached")
        .hasMessageNotContaining(PgServer.PASSWORD);
  }
}
