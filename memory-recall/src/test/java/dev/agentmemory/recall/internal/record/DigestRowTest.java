package dev.agentmemory.recall.internal.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.recall.internal.record.DigestRow.Entry;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DigestRowTest {

  private static final Instant START = TestEvents.START;

  private static Entry entry(int tail, long seconds) {
    return new Entry(
        new MemoryId(TestEvents.id(START, tail)), Optional.of(START.plusSeconds(seconds)));
  }

  @Test
  void row_ofAnyVersion_isRead() {
    Entry timed = entry(1, 0);
    var untimed = new Entry(timed.tombstone(), Optional.empty());
    var both = new DigestRow(List.of(timed, untimed));

    assertThat(DigestRow.read(both.write())).isEqualTo(both);
    assertThat(DigestRow.read(timed.tombstone().value()).entries()).containsExactly(untimed);
    assertThatThrownBy(() -> DigestRow.read("?")).isInstanceOf(MemoryException.class);
  }

  @Test
  void memory_hasOneEntry_withTheEarliestTime() {
    var row = new DigestRow(List.of(entry(1, 5)));

    assertThat(row.with(entry(1, 3)).entries()).containsExactly(entry(1, 3));
    assertThat(row.with(entry(1, 7)).entries()).containsExactly(entry(1, 5));
    var unknown = new Entry(entry(1, 5).tombstone(), Optional.empty());
    assertThat(row.with(unknown).with(entry(1, 7)).entries()).containsExactly(unknown);
  }

  @Test
  void manyDeletions_keepTheFirstAndTheLatest() {
    var row = new DigestRow(List.of());
    for (int i = 0; i < 30; i++) {
      row = row.with(entry(i, i));
    }
    assertThat(row.entries()).hasSize(DigestRow.MOST);
    assertThat(row.entries().getFirst()).isEqualTo(entry(0, 0));
    assertThat(row.entries().getLast()).isEqualTo(entry(29, 29));
  }
}
