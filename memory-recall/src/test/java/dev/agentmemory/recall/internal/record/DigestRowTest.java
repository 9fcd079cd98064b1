package dev.agentmemory.recall.internal.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.recall.internal.record.DigestRow.Entry;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DigestRowTest {

  private static final Instant START = TestEvents.START;

  private static Entry entry(int tail, long seconds) {
    return new Entry(
        new MemoryId(TestEvents.id(START, tail)), Optional.of(START.plusSeconds(seconds)));
  }

  private static Entry untimed(int tail) {
    return new Entry(entry(tail, 0).tombstone(), Optional.empty());
  }

  @Test
  void row_writtenAndRead_isTheSame() {
    var row = new DigestRow(List.of(entry(1, 0), untimed(2)));
    assertThat(DigestRow.read(row.write())).isEqualTo(row);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "?",
        "{}",
        "{\"deletions\":\"none\"}",
        "{\"deletions\":[\"01\"]}",
        "{\"deletions\":[{}]}",
        "{\"deletions\":[{\"tombstone\":\"01\"}]}"
      })
  void row_withoutAListOfDeletions_isCorrupt(String row) {
    assertThatThrownBy(() -> DigestRow.read(row))
        .isInstanceOfSatisfying(
            MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT_RECORD));
  }

  @Test
  void latestDeletion_thatIsNotInTheRow_isAddedWithoutATime() {
    var row = new DigestRow(List.of(entry(1, 0), entry(2, 1)));

    assertThat(row.withLatest(entry(3, 0).tombstone()).entries())
        .containsExactly(entry(1, 0), entry(2, 1), untimed(3));
    assertThat(row.withLatest(row.latest())).isEqualTo(row);
  }

  @Test
  void memory_hasOneEntry_withTheEarliestTime() {
    var row = new DigestRow(List.of(entry(1, 5)));

    assertThat(row.with(entry(1, 3)).entries()).containsExactly(entry(1, 3));
    assertThat(row.with(entry(1, 7)).entries()).containsExactly(entry(1, 5));
    assertThat(row.with(untimed(1)).with(entry(1, 7)).entries()).containsExactly(untimed(1));
  }

  @Test
  void manyDeletions_keepTheFirstAndTheLatest() {
    DigestRow row = DigestRow.NONE;
    for (int i = 0; i < 30; i++) {
      row = row.with(entry(i, i));
    }
    assertThat(row.entries()).hasSize(DigestRow.MOST);
    assertThat(row.entries().getFirst()).isEqualTo(entry(0, 0));
    assertThat(row.entries().getLast()).isEqualTo(entry(29, 29));
  }
}
