package dev.agentmemory.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.storage.upkeep.StoreUpkeep.Failure;
import dev.agentmemory.store.Commit;
import dev.agentmemory.testkit.Await;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a store does when the engine refuses a write.
class FailedWriteTest {

  private static final Event EVENT = TestEvents.message("s", TestEvents.START, "text");

  private volatile Instant now = Instant.EPOCH;
  private final InstantSource clock = () -> now;
  private final HeapRows rows = new HeapRows();
  private final HeapRowStore.Upkeep upkeep = new HeapRowStore.Upkeep(rows);
  private final HeapRowStore store = HeapRowStore.open(rows, upkeep, clock);

  @AfterEach
  void close() {
    store.close();
  }

  private void append() {
    var _ = store.commit(Commit.append(List.of(EVENT)));
  }

  private void assertRefused(ErrorCode code, String says) {
    assertThatThrownBy(this::append)
        .isInstanceOfSatisfying(MemoryException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContaining(says);
  }

  @ParameterizedTest
  @CsvSource({
    "DISK_FULL, DISK_FULL, full, SPACE",
    "CORRUPT_RECORD, STORAGE_FAILED, what the engine says, DAMAGE",
    "STORAGE_FAILED, STORAGE_FAILED, check the disk, REFUSAL"
  })
  void refusedWrite_isNotAcknowledged_andTheRowsAreOpenedAgain(
      ErrorCode thrown, ErrorCode answered, String says, Failure failure) {
    rows.fail(new MemoryException(thrown, "what the engine says"));
    assertRefused(answered, says);
    rows.fail(null);
    // Until the rows were opened again nobody knows what was written.
    assertRefused(answered, says);
    assertThat(store.events().event(EVENT.id())).isEmpty();

    now = now.plusSeconds(1);
    Await.until("the rows are opened again", () -> store.problem().isEmpty());
    assertThat(upkeep.reopened).containsExactly(failure);
    append();
    assertThat(store.events().event(EVENT.id())).isPresent();
  }

  @Test
  void withoutSpace_theRowsAreNotOpenedAgain() {
    upkeep.hasSpace = false;
    rows.fail(new MemoryException(ErrorCode.DISK_FULL, "no"));
    assertRefused(ErrorCode.DISK_FULL, "full");
    rows.fail(null);
    now = now.plusSeconds(1000);
    assertRefused(ErrorCode.DISK_FULL, "full");
    assertThat(upkeep.reopened).isEmpty();
  }

  @Test
  void storeThatWasTakenOver_refusesForGood() {
    rows.fail(new MemoryException(ErrorCode.NOT_OWNER, "another daemon has it"));
    assertRefused(ErrorCode.NOT_OWNER, "another daemon has it");
    rows.fail(null);
    now = now.plusSeconds(1000);
    assertRefused(ErrorCode.NOT_OWNER, "another daemon has it");
    assertThat(upkeep.reopened).isEmpty();
  }

  @Test
  void storeThatIsFoundTakenOver_whenItIsOpenedAgain_refusesForGood() {
    rows.fail(new MemoryException(ErrorCode.STORAGE_FAILED, "the network is away"));
    assertRefused(ErrorCode.STORAGE_FAILED, "check the disk");
    rows.fail(null);
    upkeep.refusal = new MemoryException(ErrorCode.NOT_OWNER, "another daemon has it");

    now = now.plusSeconds(1);
    Await.until("it was looked at", () -> !upkeep.reopened.isEmpty());
    Await.until(
        "the reason is told",
        () -> store.problem().filter(why -> why.contains("another daemon")).isPresent());
    assertRefused(ErrorCode.NOT_OWNER, "another daemon has it");
    upkeep.refusal = null;
    now = now.plusSeconds(1000);
    assertRefused(ErrorCode.NOT_OWNER, "another daemon has it");
    assertThat(upkeep.reopened).hasSize(1);
  }
}
