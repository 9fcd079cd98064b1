package dev.agentmemory.bench.run;

import dev.agentmemory.bench.result.Measured;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;

/// Calls at fixed times, from several clients, whether earlier calls are answered or not (an open
/// loop). The duration of a call is counted from its planned time, so it includes the wait for a
/// free client.
///
/// @param <C> a client
public final class OpenLoop<C> {

  private final List<C> clients;
  private final double perSecond;

  /// @param clients each makes one call at a time
  public OpenLoop(List<C> clients, double perSecond) {
    this.clients = List.copyOf(clients);
    this.perSecond = perSecond;
  }

  /// One call.
  ///
  /// @param <C> a client
  /// @param <T> what is asked
  public interface Call<C, T> {

    void make(C client, T question) throws Exception;
  }

  /// Makes all calls.
  ///
  /// @return milliseconds of each call, in the order of the questions
  public <T> Measured ask(List<T> questions, Call<C, T> call) throws InterruptedException {
    var next = new AtomicInteger();
    var millis = new AtomicReferenceArray<Double>(questions.size());
    long start = System.nanoTime();
    try (var threads = Executors.newFixedThreadPool(clients.size())) {
      List<Callable<Boolean>> work = new ArrayList<>();
      for (C client : clients) {
        work.add(() -> {
          for (int i = next.getAndIncrement(); i < questions.size(); i = next.getAndIncrement()) {
            long planned = start + (long) (i / perSecond * 1e9);
            TimeUnit.NANOSECONDS.sleep(planned - System.nanoTime());
            call.make(client, questions.get(i));
            millis.set(i, (System.nanoTime() - planned) / 1e6);
          }
          return true;
        });
      }
      for (Future<Boolean> done : threads.invokeAll(work)) {
        done.get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("a question failed", e.getCause());
    }
    return new Measured(IntStream.range(0, questions.size()).mapToObj(millis::get).toList());
  }
}
