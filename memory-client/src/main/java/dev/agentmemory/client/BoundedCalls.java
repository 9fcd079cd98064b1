package dev.agentmemory.client;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Makes a call for each item of a list, with a bounded number at a time. The next call starts when
/// one has ended, so that its deadline starts then. After a failed call no further one starts.
final class BoundedCalls<T, R> {

  private final List<T> items;
  private final Function<T, CompletableFuture<R>> call;
  private final List<CompletableFuture<R>> answers;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  /// How many calls may start. The thread that raises it from 0 starts them, so a call that ends on
  /// the thread that starts it does not make the stack deeper.
  private final AtomicInteger free = new AtomicInteger();

  private int next;

  private BoundedCalls(List<T> items, Function<T, CompletableFuture<R>> call) {
    this.items = items;
    this.call = call;
    this.answers = Stream.generate(CompletableFuture<R>::new).limit(items.size()).toList();
  }

  /// @param atOnce the most concurrent calls
  /// @return the answers in the order of the items; fails when a call fails, once all started calls
  ///   have ended
  static <T, R> CompletableFuture<List<R>> send(
      List<T> items, int atOnce, Function<T, CompletableFuture<R>> call) {
    var calls = new BoundedCalls<>(items, call);
    calls.start(atOnce);
    return CompletableFuture.allOf(calls.answers.toArray(CompletableFuture[]::new))
        .thenApply(_ -> calls.answers.stream().map(CompletableFuture::join).toList());
  }

  private void start(int count) {
    if (free.getAndAdd(count) != 0) {
      return;
    }
    do {
      startNext();
    } while (free.decrementAndGet() > 0);
  }

  private void startNext() {
    if (next == items.size()) {
      return;
    }
    int at = next++;
    Throwable why = failure.get();
    if (why != null) {
      answers.get(at).completeExceptionally(why);
      start(1);
      return;
    }
    var _ = called(items.get(at)).whenComplete((answer, failed) -> ended(at, answer, failed));
  }

  private void ended(int at, R answer, @Nullable Throwable failed) {
    if (failed == null) {
      answers.get(at).complete(answer);
    } else {
      Throwable why = failed instanceof CompletionException ? failed.getCause() : failed;
      failure.compareAndSet(null, why);
      answers.get(at).completeExceptionally(why);
    }
    start(1);
  }

  private CompletableFuture<R> called(T item) {
    try {
      return call.apply(item);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }
}
