package dev.agentmemory.daemon;

import dev.agentmemory.toc.Crew;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/// A crew of a few threads. The caller works along, so it gets on even when the others are busy;
/// whoever is free takes the next item.
final class PooledCrew implements Crew, AutoCloseable {

  private final ExecutorService pool;
  private final int helpers;

  /// @param hands how many items are worked on at once, the caller's included; 1 and up
  PooledCrew(int hands) {
    this.helpers = Math.max(0, hands - 1);
    this.pool =
        Executors.newFixedThreadPool(
            Math.max(1, helpers),
            Thread.ofPlatform().name("memory-crew-", 1).daemon(true).factory());
  }

  @Override
  public <T, R> List<R> map(List<T> items, Function<T, R> work) {
    int hands = Math.min(helpers, items.size() - 1);
    if (hands <= 0) {
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
    List<CompletableFuture<Void>> others = new ArrayList<>(hands);
    for (int i = 0; i < hands; i++) {
      others.add(CompletableFuture.runAsync(share, pool));
    }
    try {
      share.run();
    } finally {
      others.forEach(PooledCrew::await);
    }
    @SuppressWarnings("unchecked")
    List<R> done = (List<R>) Arrays.asList(results);
    return done;
  }

  /// What went wrong for a helper goes wrong for the caller in the same way.
  private static void await(CompletableFuture<Void> other) {
    try {
      other.join();
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
