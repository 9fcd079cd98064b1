package dev.agentmemory.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.postgres.CuttingForwarder.Cut;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.testkit.Await;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.postgres.PgServer;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The connection breaks while a commit is on its way, or its answer.
class LostAnswerTest {

  private static final Duration TWO_SECONDS = Duration.ofSeconds(2);

  private final PgServer server = PgServer.shared();
  private final CuttingForwarder forwarder = new CuttingForwarder(server.port());
  private final PostgresStores stores =
      PostgresStoreTest.connect(
          PostgresStoreTest.config(forwarder.port(), PgServer.newSchema())
              .withTimeout(Duration.ofSeconds(5)));

  @AfterEach
  void close() {
    stores.close();
    forwarder.close();
  }

  @ParameterizedTest
  @EnumSource(
      value = Cut.class,
      names = {"BEFORE", "AFTER"})
  void commit_isThereOnce_andItsCallerGetsTheReceipt(Cut cut) {
    try (PostgresStore store = stores.open(new WorkspaceName("work"))) {
      List<Event> events = TestEvents.messages("s", 3);
      append(store, events.get(0));
      forwarder.cutNext(cut);

      assertThat(append(store, events.get(1)))
          .containsExactly(new Receipt.Created(events.get(1).id()));
      assertThat(forwarder.hasCut()).isTrue();
      assertThat(append(store, events.get(2)))
          .containsExactly(new Receipt.Created(events.get(2).id()));
      assertThat(store.stats().events()).isEqualTo(3);
      assertThat(store.outbox().entries(0, 10)).hasSize(3);
      assertThat(store.verify(10)).isEmpty();
    }
  }

  @Test
  void ownerThatIsCutOffWithinACommit_doesNotKeepTheNextOneWaiting() {
    String schema = PgServer.newSchema();
    // The daemon was restarted where the former process still seems to run.
    try (PostgresStores lost =
            PostgresStoreTest.connect(
                PostgresStoreTest.config(forwarder.port(), schema).withTimeout(TWO_SECONDS),
                "one");
        PostgresStores next =
            PostgresStoreTest.connect(PostgresStoreTest.config(server, schema), "one")) {
      var name = new WorkspaceName("work");
      List<Event> events = TestEvents.messages("s", 2);
      PostgresStore former = lost.open(name);
      append(former, events.get(0));
      forwarder.cutNext(Cut.HELD);
      CompletableFuture<List<Receipt>> waiting =
          CompletableFuture.supplyAsync(() -> append(former, events.get(1)));
      Await.until("the commit is on its way", forwarder::hasCut);

      try (PostgresStore store = next.open(name)) {
        assertThat(append(store, events.get(1)))
            .containsExactly(new Receipt.Created(events.get(1).id()));
      }
      assertThatThrownBy(waiting::join)
          .cause()
          .isInstanceOfSatisfying(
              MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_OWNER));
      former.close();
    }
  }

  private static List<Receipt> append(PostgresStore store, Event event) {
    return store.commit(Commit.append(List.of(event)));
  }
}
