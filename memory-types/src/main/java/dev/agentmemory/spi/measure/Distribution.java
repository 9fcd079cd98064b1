package dev.agentmemory.spi.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;

/// Counts values by their size, in a fixed number of buckets. Any thread may add values; adding
/// takes no lock and no memory. A reader may see a value in its bucket and not yet in the sum.
public final class Distribution {

  /// From a quarter of a millisecond to ten seconds, in microseconds.
  private static final long[] DURATIONS = {
    250,
    500,
    1_000,
    2_500,
    5_000,
    10_000,
    25_000,
    50_000,
    100_000,
    250_000,
    500_000,
    1_000_000,
    2_500_000,
    5_000_000,
    10_000_000
  };

  private static final int NANOS_OF_A_MICRO = 1_000;

  private final long[] bounds;
  private final LongAdder[] buckets;
  private final LongAdder sum = new LongAdder();

  /// @param bounds the highest value of each bucket, ascending; larger values have a bucket of
  ///   their own
  public Distribution(long... bounds) {
    this.bounds = bounds.clone();
    this.buckets = new LongAdder[bounds.length + 1];
    for (int i = 0; i < buckets.length; i++) {
      buckets[i] = new LongAdder();
      if (i > 0 && i < bounds.length && bounds[i] <= bounds[i - 1]) {
        throw new IllegalArgumentException("bounds do not ascend: " + bounds[i]);
      }
    }
  }

  /// A distribution of durations in microseconds.
  public static Distribution ofMicros() {
    return new Distribution(DURATIONS);
  }

  /// @param value 0 and up; a lower one counts as 0
  public void add(long value) {
    long counted = Math.max(0, value);
    int bucket = 0;
    while (bucket < bounds.length && counted > bounds[bucket]) {
      bucket++;
    }
    buckets[bucket].increment();
    sum.add(counted);
  }

  /// Adds a duration to a distribution of microseconds.
  public void addNanos(long nanos) {
    add(nanos / NANOS_OF_A_MICRO);
  }

  /// What was added so far.
  public Counts counts() {
    List<Long> counted = new ArrayList<>(buckets.length);
    for (LongAdder bucket : buckets) {
      counted.add(bucket.sum());
    }
    return new Counts(LongStream.of(bounds).boxed().toList(), counted, sum.sum());
  }

  /// The values of a distribution.
  ///
  /// @param bounds the highest value of each bucket but the last one
  /// @param buckets how many values are in each; one more than there are bounds
  /// @param sum of all values
  public record Counts(List<Long> bounds, List<Long> buckets, long sum) {

    public Counts {
      bounds = List.copyOf(bounds);
      buckets = List.copyOf(buckets);
      if (buckets.size() != bounds.size() + 1) {
        throw new IllegalArgumentException(
            buckets.size() + " buckets for " + bounds.size() + " bounds");
      }
    }

    /// How many values there are.
    public long count() {
      return buckets.stream().mapToLong(Long::longValue).sum();
    }
  }
}
