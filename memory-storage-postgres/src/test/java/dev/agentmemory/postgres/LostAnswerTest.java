package dev.agentmemory.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.postgres.CuttingForwarder.Cut;
import dev.agentmemory.postgres.config.PostgresConfig;
import dev.agentmemory.storage.RowStore.CommitQueue;
import dev.agentmemory.storage.measure.CommitFigures;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.postgres.PgServer;
import dev.agentmemory.types.Event;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The connection breaks while a commit is on its way, or its answer.
class LostAnswerTest {

  private final PgServer server = PgServer.shared();
  private final CuttingForwarder forwarder = new CuttingForwarder(server.port());
  private final PostgresStores stores =
      PostgresStores.open(
          new PostgresConfig(
              // Each commit is sent as text, which the forwarder recognises.
              "jdbc:postgresql://127.0.0.1:%d/postgres?prepareThreshold=0"
                  .formatted(forwarder.port()),
              PgServer.USER,
              PgServer.PASSWORD,
              PgServer.newSchema(),
              2,
              2,
              Duration.ofSeconds(5)),
          new CommitQueue(100, 1 << 20, CommitFigures.untimed()),
          InstantSource.system());

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
    try (PostgresStore store = stores.open("work", Optional.empty())) {
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

  private static List<Receipt> append(PostgresStore store, Event event) {
    return store.commit(Commit.append(List.of(event)));
  }
}
