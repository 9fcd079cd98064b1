package dev.agentmemory.bench.abuse;

import dev.agentmemory.bench.abuse.OtherClients.Kind;
import dev.agentmemory.bench.result.Measured;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/// How long calls took that were planned at fixed times. The calls of a kind are made one after the
/// other, so they are answered in the order in which they were planned. Times are those of the
/// system's timer, in nanoseconds.
final class AnsweredCalls {

  /// A window that is compared with the time before.
  static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /// A call that was answered.
  private record Made(Kind kind, long planned, double millis) {}

  private final Queue<Made> made = new ConcurrentLinkedQueue<>();

  /// @param answered when; the duration of a call counts from its planned time
  void add(Kind kind, long planned, long answered) {
    made.add(new Made(kind, planned, (answered - planned) / 1e6));
  }

  /// Milliseconds of the calls of a kind that were planned in a time; infinite if there are none.
  Measured between(Kind kind, long from, long to) {
    List<Double> millis =
        made.stream()
            .filter(one -> one.kind() == kind && one.planned() >= from && one.planned() < to)
            .map(Made::millis)
            .toList();
    return new Measured(millis.isEmpty() ? List.of(Double.POSITIVE_INFINITY) : millis);
  }

  /// The 95th percentile of each kind in a time, in ms.
  Map<Kind, Double> p95(long from, long to) {
    Map<Kind, Double> found = new EnumMap<>(Kind.class);
    for (Kind kind : Kind.values()) {
      found.put(kind, between(kind, from, to).percentile(0.95));
    }
    return found;
  }

  /// Seconds from a time until the calls of each kind in a second are as quick as before. Only
  /// seconds of which all calls are answered count: of the others, slow calls are not known yet.
  ///
  /// @param before the 95th percentile of each kind, in ms
  /// @return infinite while they are not
  double recovery(long from, Map<Kind, Double> before) {
    long to =
        Arrays.stream(Kind.values())
            .mapToLong(kind -> answeredUntil(kind, from))
            .min()
            .orElseThrow();
    for (long begin = from; begin + WINDOW_NANOS <= to; begin += STEP_NANOS) {
      long window = begin;
      if (before.entrySet().stream()
          .allMatch(one ->
              between(one.getKey(), window, window + WINDOW_NANOS).median() <= one.getValue())) {
        return (begin - from) / 1e9;
      }
    }
    return Double.POSITIVE_INFINITY;
  }

  /// The planned time of the last call of a kind that was answered.
  private long answeredUntil(Kind kind, long from) {
    return made.stream()
        .filter(one -> one.kind() == kind)
        .mapToLong(Made::planned)
        .max()
        .orElse(from);
  }
}
