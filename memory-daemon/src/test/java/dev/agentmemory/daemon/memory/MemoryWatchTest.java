package dev.agentmemory.daemon.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class MemoryWatchTest {

  private static final long CEILING = 1000;

  private long nanos;
  private long used;
  private long trimmable;
  private long freeable;
  private int trimmed;
  private int freed;
  private final MemoryWatch watch =
      new MemoryWatch(
          () -> nanos,
          CEILING,
          () -> used,
          () -> {
            trimmed++;
            used -= trimmable;
            trimmable = 0;
          },
          () -> {
            freed++;
            used -= freeable;
            freeable = 0;
          });

  @Test
  void look_nearTheCeiling_refusesUntilThereIsRoomAgain() {
    used = (long) (MemoryWatch.NEAR * CEILING) + 1;
    watch.look();
    assertThat(watch.isNear()).isTrue();

    used = (long) (MemoryWatch.AGAIN * CEILING) + 1;
    watch.look();
    assertThat(watch.isNear()).isTrue();

    used = (long) (MemoryWatch.AGAIN * CEILING);
    watch.look();
    assertThat(watch.isNear()).isFalse();
    assertThat(watch.used()).isEqualTo(used);
  }

  @Test
  void look_whatCanBeFreed_isFreedBeforeWorkIsRefused() {
    used = 950;
    freeable = 500;
    watch.look();
    assertThat(freed).isOne();
    assertThat(watch.isNear()).isFalse();
  }

  @Test
  void look_soonAfterMemoryWasFreed_doesNotFreeAgain() {
    used = 950;
    watch.look();
    watch.look();
    assertThat(freed).isOne();

    nanos += MemoryWatch.REST.toNanos();
    watch.look();

    assertThat(freed).isEqualTo(2);
  }

  @Test
  void look_whatIsInUse_isTriedLessAndLessOften_untilSomethingIsFreed() {
    used = 880;
    watch.look();
    for (Duration rest = MemoryWatch.REST.multipliedBy(2);
        rest.compareTo(MemoryWatch.LONGEST_REST) < 0;
        rest = rest.multipliedBy(2)) {
      assertTriedAfter(rest);
    }
    assertTriedAfter(MemoryWatch.LONGEST_REST);
    freeable = 40;
    assertTriedAfter(MemoryWatch.LONGEST_REST);

    used = 880;

    assertTriedAfter(MemoryWatch.LONGEST_REST.dividedBy(2));
  }

  /// Calls wait while the heap is collected.
  @Test
  void look_trimmingIsEnough_theHeapIsNotCollected() {
    used = 880;
    trimmable = 40;
    watch.look();
    assertThat(trimmed).isOne();
    assertThat(freed).isZero();
    assertThat(watch.used()).isEqualTo(840);
  }

  @Test
  void look_nearTheCeiling_triesAsOftenAsAtFirst() {
    used = 880;
    watch.look();
    used = (long) (MemoryWatch.NEAR * CEILING) + 1;
    assertTriedAfter(MemoryWatch.REST);
    assertTriedAfter(MemoryWatch.REST);
    used = (long) (MemoryWatch.AGAIN * CEILING) + 1;
    assertTriedAfter(MemoryWatch.REST);
  }

  private void assertTriedAfter(Duration rest) {
    int before = freed;
    nanos += rest.toNanos() - 1;
    watch.look();
    assertThat(freed).isEqualTo(before);
    nanos += 1;
    watch.look();
    assertThat(freed).isEqualTo(before + 1);
  }

  @Test
  void look_farBelow_freesNothing() {
    used = (long) (MemoryWatch.FREE * CEILING);
    watch.look();
    assertThat(freed).isZero();
    assertThat(watch.isNear()).isFalse();
  }
}
