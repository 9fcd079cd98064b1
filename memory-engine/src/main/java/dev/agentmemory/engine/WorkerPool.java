package dev.agentmemory.engine;

import dev.agentmemory.toc.ParallelMapper;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;

/// A mapper with a few threads for all workspaces. The calling thread processes items, too, and
/// waits only for helper threads that have begun. So it makes progress even when the others are
/// busy, or hang, with the work of other callers. Each free thread takes the next item.
final class WorkerPool implements ParallelMapper, AutoCloseable {

  private final ThreadPoolExecutor pool;
  private final int helpers;

  /// @param threads how many items are processed at once, the calling thread included; 1 and up
  WorkerPool(int threads) {
    this.helpers = Math.max(0, threads - 1);
    this.pool =
        new ThreadPoolExecutor(
            Math.max(1, helpers),
            Math.max(1, helpers),
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform()
                .name("memory-mapper-", 1)
                .daemon(true)
                .inheritInheritableThreadLocals(false)
                .factory());
    // Callers with threads of a low priority would start threads of that priority.
    pool.prestartAllCoreThreads();
  }

  @Override
  public <T, R> List<R> map(List<T> items, Function<T, R> work) {
    int wanted = Math.min(helpers, items.size() - 1);
    if (wanted <= 0) {
      return items.stream().map(work).toList();
    }
    var next = new AtomicInteger();
    Object[] results = new Object[items.size()];
    Runnable share =
        () -> {
          for (int i = next.getAndIncrement(); i < results.length; i = next.getAndIncrement()) {
            results[i] = work.apply(items.get(i));
          }
        };
    List<Share> others = new ArrayList<>(wanted);
    for (int i = 0; i < wanted; i++) {
      var other = new Share(share);
      others.add(other);
      pool.execute(other);
    }
    try {
      share.run();
    } finally {
      awaitAll(others);
    }
    @SuppressWarnings("unchecked")
    List<R> done = (List<R>) Arrays.asList(results);
    return done;
  }

  @Override
  public <R> Supplier<R> begin(Supplier<R> work) {
    if (helpers == 0) {
      return work;
    }
    List<R> result = new ArrayList<>(1);
    var share = new Share(() -> result.add(work.get()));
    pool.execute(share);
    return () -> dropOrAwait(share) ? work.get() : result.getFirst();
  }

  /// The work of one helper thread, unless the calling thread has finished before it begins.
  private static final class Share implements Runnable {

    private final Runnable work;
    private final AtomicBoolean taken = new AtomicBoolean();
    private final CompletableFuture<Void> done = new CompletableFuture<>();

    Share(Runnable work) {
      this.work = work;
    }

    @Override
    public void run() {
      if (!take()) {
        return;
      }
      try {
        work.run();
        done.complete(null);
      } catch (RuntimeException | Error e) {
        done.completeExceptionally(e);
      }
    }

    boolean take() {
      return taken.compareAndSet(false, true);
    }
  }

  /// Returns when no helper works any more; the failure of the first is thrown to the caller.
  private void awaitAll(List<Share> others) {
    for (int i = 0; i < others.size(); i++) {
      try {
        var _ = dropOrAwait(others.get(i));
      } catch (RuntimeException | Error e) {
        awaitAll(others.subList(i + 1, others.size()));
        throw e;
      }
    }
  }

  /// Drops a helper's work that has not begun. A failure of a helper is thrown to the caller.
  ///
  /// @return whether it was dropped
  private boolean dropOrAwait(Share other) {
    if (other.take()) {
      pool.remove(other);
      return true;
    }
    try {
      other.done.join();
      return false;
    } catch (CompletionException e) {
      switch (e.getCause()) {
        case RuntimeException failure -> throw failure;
        case Error failure -> throw failure;
        case null, default -> throw e;
      }
    }
  }

  @Override
  public void close() {
    pool.shutdown();
  }
}
