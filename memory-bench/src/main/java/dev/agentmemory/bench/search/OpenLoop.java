package dev.agentmemory.bench.search;

import dev.agentmemory.bench.result.Measured;
import dev.agentmemory.client.MemoryClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

/// Calls at fixed times, from several clients, whether earlier calls are answered or not (an open
/// loop). The duration of a call is counted from its planned time, so it includes the wait for a
/// free client.
final class OpenLoop {

  private final List<MemoryClient> clients;
  private final double perSecond;

  /// @param clients each makes one call at a time
  OpenLoop(List<MemoryClient> clients, double perSecond) {
    this.clients = List.copyOf(clients);
    this.perSecond = perSecond;
  }

  /// Makes all calls.
  ///
  /// @return milliseconds of each call, in no order
  <T> Measured ask(List<T> questions, BiConsumer<MemoryClient, T> call)
      throws InterruptedException {
    var next = new AtomicInteger();
    long start = System.nanoTime();
    var millis = new ArrayList<Double>();
    try (var threads = Executors.newFixedThreadPool(clients.size())) {
      List<Callable<List<Double>>> work = new ArrayList<>();
      for (MemoryClient client : clients) {
        work.add(() -> calls(client, questions, call, next, start));
      }
      for (Future<List<Double>> done : threads.invokeAll(work)) {
        millis.addAll(done.get());
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("a question failed", e.getCause());
    }
    return new Measured(millis);
  }

  private <T> List<Double> calls(
      MemoryClient client,
      List<T> questions,
      BiConsumer<MemoryClient, T> call,
      AtomicInteger next,
      long start)
      throws InterruptedException {
    var millis = new ArrayList<Double>();
    for (int i = next.getAndIncrement(); i < questions.size(); i = next.getAndIncrement()) {
      long planned = start + (long) (i / perSecond * 1e9);
      TimeUnit.NANOSECONDS.sleep(planned - System.nanoTime());
      call.accept(client, questions.get(i));
      millis.add((System.nanoTime() - planned) / 1e6);
    }
    return millis;
  }
}
