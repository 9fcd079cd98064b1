package dev.agentmemory.testkit.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/// Sends inputs to a daemon. The input of a seed is the same in each run on the same store.
public final class FuzzRun {

  private static final int REPORTED = 50_000;

  private final FuzzTarget target;
  private final long seed;
  private final FuzzTally tally;

  /// @param seed of the first input; each next one has the next seed
  public FuzzRun(FuzzTarget target, long seed, FuzzTally tally) {
    this.target = target;
    this.seed = seed;
    this.tally = tally;
  }

  /// Sends inputs from several threads.
  ///
  /// @param progress told the number of inputs at times
  /// @throws IOException when the daemon does not answer at all
  public void run(long inputs, int threads, LongConsumer progress)
      throws IOException, InterruptedException {
    var next = new AtomicLong();
    List<Future<?>> ends = new ArrayList<>();
    try (var pool = Executors.newFixedThreadPool(threads)) {
      for (int i = 0; i < threads; i++) {
        ends.add(pool.submit(() -> send(next, inputs, progress)));
      }
      for (Future<?> end : ends) {
        end.get();
      }
    } catch (ExecutionException e) {
      throw new IOException(target.name() + " ended early", e.getCause());
    }
  }

  private void send(AtomicLong next, long inputs, LongConsumer progress) {
    for (long i = next.getAndIncrement(); i < inputs; i = next.getAndIncrement()) {
      long own = seed + i;
      try {
        tally.add(target.name(), own, target.attempt(new SplittableRandom(own)).checked());
      } catch (IOException e) {
        throw new UncheckedIOException("seed " + own, e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
      if ((i + 1) % REPORTED == 0) {
        progress.accept(i + 1);
      }
    }
  }
}
