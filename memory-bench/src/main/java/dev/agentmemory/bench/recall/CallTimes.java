package dev.agentmemory.bench.recall;

import dev.agentmemory.bench.result.Clock;
import dev.agentmemory.bench.result.Measured;
import dev.agentmemory.client.MemoryClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/// Durations of calls in milliseconds, as the client sees them.
final class CallTimes {

  private static final double P95 = 0.95;
  private static final double MICROS_IN_MILLI = 1000;

  private CallTimes() {}

  /// Makes a call for each value, one at a time.
  static <T> Measured of(List<T> values, Consumer<T> call) {
    List<Double> millis = new ArrayList<>(values.size());
    for (T value : values) {
      millis.add(ofOne(value, call));
    }
    return new Measured(millis);
  }

  /// Makes one call.
  static <T> double ofOne(T value, Consumer<T> call) {
    Clock clock = Clock.start();
    call.accept(value);
    return clock.micros() / MICROS_IN_MILLI;
  }

  /// Makes the calls of several clients at the same time, each client one call at a time.
  ///
  /// @param values one list for each client
  static <T> Measured atOnce(
      List<MemoryClient> clients, List<List<T>> values, BiConsumer<MemoryClient, T> call)
      throws InterruptedException {
    List<Callable<Measured>> work = new ArrayList<>();
    for (int i = 0; i < clients.size(); i++) {
      MemoryClient client = clients.get(i);
      List<T> ofClient = values.get(i);
      work.add(() -> of(ofClient, value -> call.accept(client, value)));
    }
    List<Measured> measured = new ArrayList<>();
    try (var threads = Executors.newFixedThreadPool(clients.size())) {
      for (Future<Measured> done : threads.invokeAll(work)) {
        measured.add(done.get());
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("a call failed", e.getCause());
    }
    return Measured.all(measured);
  }

  static double p95(Measured millis) {
    return millis.percentile(P95);
  }

  /// The 95th percentile of each round.
  static Measured p95s(List<Measured> rounds) {
    return new Measured(rounds.stream().map(CallTimes::p95).toList());
  }
}
