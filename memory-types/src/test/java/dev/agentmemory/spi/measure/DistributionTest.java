package dev.agentmemory.spi.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class DistributionTest {

  @Test
  void value_atABound_isInItsBucket_andALargerOneInTheNext() {
    var values = new Distribution(1, 10);
    for (long value : new long[] {0, 1, 2, 10, 11, 1_000_000}) {
      values.add(value);
    }
    assertThat(values.counts())
        .isEqualTo(new Distribution.Counts(List.of(1L, 10L), List.of(2L, 2L, 2L), 1_000_024));
    assertThat(values.counts().count()).isEqualTo(6);
  }

  @Test
  void durations_areCountedInMicroseconds_andNegativeOnesAsNone() {
    Distribution durations = Distribution.ofMicros();
    durations.addNanos(3_000_000);
    durations.addNanos(-5_000);
    Distribution.Counts counts = durations.counts();
    assertThat(counts.sum()).isEqualTo(3_000);
    assertThat(counts.buckets().getFirst()).isEqualTo(1);
    assertThat(counts.buckets().get(counts.bounds().indexOf(5_000L))).isEqualTo(1);
  }

  @Test
  void boundsThatDoNotAscend_areRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new Distribution(1, 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Distribution.Counts(List.of(1L), List.of(1L), 0));
  }
}
