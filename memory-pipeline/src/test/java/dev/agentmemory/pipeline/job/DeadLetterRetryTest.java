package dev.agentmemory.pipeline.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.DeadLetter;
import dev.agentmemory.store.OutboxEntry;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.store.HeapStore;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DeadLetterRetryTest {

  private final HeapStore store = new HeapStore(ZoneOffset.UTC);
  private final DeadLetterRetry retry = new DeadLetterRetry(store, Map.of("recorder", entry -> {}));

  @AfterEach
  void close() {
    store.close();
  }

  /// @param unknown how many of them no consumer takes
  private void park(int letters, int unknown) {
    store.commit(Commit.append(TestEvents.messages("s", letters)));
    for (OutboxEntry entry : store.outbox().entries(0, letters)) {
      String consumer = entry.sequence() <= unknown ? "unknown" : "recorder";
      store.commit(
          Commit.of(
              new Change.PutDeadLetter(new DeadLetter(consumer, entry, "why", 3, Instant.EPOCH))));
    }
  }

  @Test
  void run_moreLettersThanAPage_triesAllOnce_andKeepsThoseThatNobodyTakes() {
    park(201, 1);
    assertThat(retry.run()).isEqualTo(new DeadLetterRetry.Result(200, 1));
    assertThat(store.deadLetters(Optional.empty(), 10)).hasSize(1);
  }

  @Test
  void run_threadInterrupted_endsEarly() {
    park(1, 0);
    Thread.currentThread().interrupt();
    try {
      assertThat(retry.run()).isEqualTo(new DeadLetterRetry.Result(0, 0));
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(store.deadLetters(Optional.empty(), 10)).hasSize(1);
  }
}
