package dev.agentmemory.service.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ReadPaceTest {

  private long nanos;
  private final ReadPace pace = new ReadPace(() -> nanos, 1000);

  @Test
  void take_upToTheRate_waitsForNothing() {
    assertThat(pace.take(1000)).isEqualTo(Duration.ZERO);
    nanos += Duration.ofSeconds(1).toNanos();
    assertThat(pace.take(1000)).isEqualTo(Duration.ZERO);
  }

  @Test
  void take_beyondTheRate_waitsUntilItIsReached() {
    assertThat(pace.take(1500)).isBetween(Duration.ofMillis(500), Duration.ofMillis(501));
    nanos += Duration.ofMillis(500).toNanos();
    assertThat(pace.take(100)).isBetween(Duration.ofMillis(100), Duration.ofMillis(101));
  }

  @Test
  void take_afterALongRest_isBoundedByOneSecond() {
    nanos += Duration.ofHours(1).toNanos();
    assertThat(pace.take(3000)).isBetween(Duration.ofSeconds(2), Duration.ofMillis(2001));
  }
}
