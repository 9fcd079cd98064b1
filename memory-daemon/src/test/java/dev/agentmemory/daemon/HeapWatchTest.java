package dev.agentmemory.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class HeapWatchTest {

  private static final long MIB = 1L << 20;

  private long nanos;
  private final Heap heap = new Heap();
  private final HeapWatch watch = new HeapWatch(() -> nanos, heap);

  /// A heap of which a collection leaves what is live.
  private final class Heap implements OldGeneration {
    private long used;
    private long live;
    private Duration time = Duration.ofMillis(100);
    private int collections;

    @Override
    public long used() {
      return used;
    }

    @Override
    public void collect() {
      collections++;
      used = live;
      nanos += time.toNanos();
    }

    private void allocate(long bytes) {
      used += bytes;
    }
  }

  @Test
  void look_grownByTheLeast_collects() {
    heap.live = 40 * MIB;
    heap.allocate(40 * MIB);
    watch.look();
    heap.allocate(HeapWatch.LEAST_GROWTH - 1);
    watch.look();
    assertThat(heap.collections).isOne();

    heap.allocate(1);
    watch.look();

    assertThat(heap.collections).isEqualTo(2);
    assertThat(heap.used).isEqualTo(40 * MIB);
  }

  @Test
  void look_muchIsLive_collectsAfterGrowthByAQuarter() {
    heap.live = 400 * MIB;
    heap.allocate(400 * MIB);
    watch.look();
    heap.allocate(100 * MIB - 1);
    watch.look();
    assertThat(heap.collections).isOne();

    heap.allocate(1);
    watch.look();

    assertThat(heap.collections).isEqualTo(2);
  }

  @Test
  void look_collectedByTheJvmMeanwhile_countsFromThere() {
    heap.live = 60 * MIB;
    heap.allocate(60 * MIB);
    watch.look();
    heap.used = 20 * MIB;
    watch.look();

    heap.allocate(HeapWatch.LEAST_GROWTH);
    watch.look();

    assertThat(heap.collections).isEqualTo(2);
  }

  @Test
  void look_collectionTookLong_isFollowedByALongRest() {
    heap.allocate(HeapWatch.LEAST_GROWTH);
    heap.time = Duration.ofSeconds(6);

    assertThat(watch.look()).isEqualTo(Duration.ofMinutes(5));
  }

  @Test
  void look_collectionWasShortOrNone_isRepeatedAMinuteLater() {
    assertThat(watch.look()).isEqualTo(Duration.ofMinutes(1));
    heap.allocate(HeapWatch.LEAST_GROWTH);
    assertThat(watch.look()).isEqualTo(Duration.ofMinutes(1));
    assertThat(heap.collections).isOne();
  }
}
