package dev.agentmemory.daemon.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MemoryWatchTest {

  private static final long CEILING = 1000;

  private long nanos;
  private long used;
  private long freeable;
  private int freed;
  private final MemoryWatch watch =
      new MemoryWatch(
          () -> nanos,
          CEILING,
          () -> used,
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
  void look_whatIsInUse_isNotCollectedAllTheTime() {
    used = 880;
    watch.look();
    nanos += MemoryWatch.LONG_REST.toNanos() - 1;
    watch.look();
    assertThat(freed).isOne();

    used += (long) (MemoryWatch.RISE * CEILING);
    watch.look();
    assertThat(freed).isOne();

    used++;
    freeable = 30;
    watch.look();
    assertThat(freed).isEqualTo(2);

    nanos += MemoryWatch.LONG_REST.toNanos();
    watch.look();
    assertThat(freed).isEqualTo(3);
  }

  @Test
  void look_farBelow_freesNothing() {
    used = (long) (MemoryWatch.FREE * CEILING);
    watch.look();
    assertThat(freed).isZero();
    assertThat(watch.isNear()).isFalse();
  }
}
