package dev.agentmemory.engine.internal.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.metrics.Occurrence;
import dev.agentmemory.api.metrics.OccurrenceKey;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class OccurrenceTotalsTest {

  private static final OccurrenceKey MERGED = OccurrenceKey.of(Occurrence.FILES_MERGED);

  private final OccurrenceTotals totals = new OccurrenceTotals();

  private OccurrenceTotals.Source source(AtomicLong count) {
    return totals.source(() -> Map.of(MERGED, count.get()));
  }

  private void assertSum(long sum) {
    assertThat(totals.sums()).containsExactly(Map.entry(MERGED, sum));
  }

  @Test
  void sources_areAdded_withoutWhatTheyHadCountedBefore() {
    var first = new AtomicLong(100);
    var second = new AtomicLong();
    OccurrenceTotals.Source one = source(first);
    OccurrenceTotals.Source other = source(second);
    first.addAndGet(3);
    one.read();
    one.read();
    second.addAndGet(4);
    other.read();
    assertSum(7);
  }

  @Test
  void sourceThatBeginsAgain_doesNotTakeAnythingAway() {
    var count = new AtomicLong();
    OccurrenceTotals.Source source = source(count);
    count.set(5);
    source.read();
    count.set(2);
    source.read();
    assertSum(7);
  }

  @Test
  void sourceThatCannotBeReadAtItsEnd_leavesTheSumAsItIs() {
    var count = new AtomicLong();
    OccurrenceTotals.Source source =
        totals.source(() -> {
          if (count.get() > 1) {
            throw new MemoryException(ErrorCode.CLOSED, "closed");
          }
          return Map.of(MERGED, count.get());
        });
    count.set(1);
    source.read();
    count.set(2);
    source.readLast();
    assertSum(1);
  }
}
