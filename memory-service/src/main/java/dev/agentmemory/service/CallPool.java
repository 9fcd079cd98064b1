package dev.agentmemory.service;

import dev.agentmemory.api.Memory;
import dev.agentmemory.api.WorkspaceSource.Lease;
import dev.agentmemory.service.internal.connection.UnreadAnswers;
import dev.agentmemory.service.internal.intercept.AuditedCall;
import dev.agentmemory.service.internal.intercept.RequestIds;
import dev.agentmemory.service.internal.share.CallClient;
import dev.agentmemory.service.internal.share.FairThreads;
import dev.agentmemory.spi.BackgroundPriority;
import dev.agentmemory.spi.Ticker;
import dev.agentmemory.store.DamagedRange;
import dev.agentmemory.store.PassedOver;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.wire.DamageMessages;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/// A bounded pool of named platform threads for calls that use the store, which clients share. A
/// virtual thread would pin its carrier in the engine, and the transport's thread would delay
/// ingest.
final class CallPool implements AutoCloseable {

  private static final String UNTOLD =
      "some rows cannot be read; call without memory-workspace (--workspace) for details";

  private final FairThreads threads;

  /// A pool for calls that are answered soon. Those of a client that uses it much while others call
  /// leave the processors to the others ([BackgroundPriority]).
  ///
  /// @param name of the threads, followed by a number
  /// @param queue calls that may wait, 0 and up; of further ones, one of the client with the most
  ///   waiting ones gets `QUEUE_FULL`
  static CallPool prompt(Ticker ticker, String name, int threads, int queue) {
    ThreadPoolExecutor prompt = pool(threads, named(name));
    prompt.prestartAllCoreThreads();
    return new CallPool(ticker, prompt, pool(threads, background(name + "low-")), queue);
  }

  /// A pool for calls that take long. All of them leave the processors to others.
  ///
  /// @param name of the threads, followed by a number
  /// @param queue as above
  static CallPool background(Ticker ticker, String name, int threads, int queue) {
    ThreadPoolExecutor only = pool(threads, background(name));
    return new CallPool(ticker, only, only, queue);
  }

  private static ThreadFactory named(String name) {
    return Thread.ofPlatform().daemon().name(name, 1).factory();
  }

  private static ThreadFactory background(String name) {
    return BackgroundPriority.of(named(name));
  }

  private static ThreadPoolExecutor pool(int threads, ThreadFactory factory) {
    return new ThreadPoolExecutor(
        threads, threads, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory);
  }

  private CallPool(
      Ticker ticker, ThreadPoolExecutor threads, ThreadPoolExecutor background, int queue) {
    this.threads =
        new FairThreads(
            ticker,
            ManagementFactory.getThreadMXBean()::getCurrentThreadCpuTime,
            threads,
            background,
            queue,
            Runtime.getRuntime().availableProcessors());
  }

  /// Answers a unary call from the pool with the memory of its workspace. A response that lacks
  /// unreadable rows lists them. Call this inside the handler itself.
  <T> void answer(StreamObserver<T> observer, Function<Memory, T> work) {
    Lease lease = CallMemory.lease();
    answer(
        observer,
        () -> {
          var passed = new PassedOver();
          T answer = passed.during(() -> work.apply(lease.memory()));
          return DamageMessages.marked(answer, visible(lease, passed.ranges()));
        });
  }

  /// In a shared store, keys may belong to other workspaces, so they are not returned.
  private static List<DamagedRange> visible(Lease lease, List<DamagedRange> ranges) {
    return lease.sharesStore()
        ? ranges.stream()
            .map(range -> new DamagedRange(range.table(), "", "", UNTOLD))
            .distinct()
            .toList()
        : ranges;
  }

  /// Answers a unary call that is not bound to a workspace. Call this inside the handler itself.
  <T> void answer(StreamObserver<T> observer, Supplier<T> work) {
    var call = (ServerCallStreamObserver<T>) observer;
    execute(
        call,
        () -> {
          call.onNext(work.get());
          call.onCompleted();
        });
  }

  /// Answers a unary call when the answer is complete; no thread waits for it.
  static <T> void answer(StreamObserver<T> observer, CompletableFuture<T> answer) {
    tolerateCancel((ServerCallStreamObserver<T>) observer);
    whenComplete(observer, answer);
  }

  /// Starts the work of a unary call in the pool, which needs no thread until its answer is
  /// complete. Call this inside the handler itself.
  <T> void answerLater(StreamObserver<T> observer, Supplier<CompletableFuture<T>> start) {
    execute((ServerCallStreamObserver<T>) observer, () -> whenComplete(observer, start.get()));
  }

  private static <T> void whenComplete(StreamObserver<T> observer, CompletableFuture<T> answer) {
    var _ =
        answer.whenComplete((message, failure) -> {
          if (failure != null) {
            observer.onError(failure);
            return;
          }
          observer.onNext(message);
          observer.onCompleted();
        });
  }

  /// Runs work that writes to a response stream. The end of the work ends the stream. Call this
  /// inside the handler itself.
  void stream(ServerCallStreamObserver<?> call, Runnable work) {
    execute(
        call,
        () -> {
          work.run();
          call.onCompleted();
        });
  }

  /// Runs a part of the work of a stream, which goes on afterwards unless the part fails. The
  /// stream has to tolerate a cancel already, because that is too late after its handler has
  /// returned.
  void part(ServerCallStreamObserver<?> call, Runnable work) {
    submit(call, work);
  }

  private void execute(ServerCallStreamObserver<?> call, Runnable work) {
    tolerateCancel(call);
    submit(call, work);
  }

  private void submit(ServerCallStreamObserver<?> call, Runnable part) {
    CallClient client = CallClient.current();
    Runnable work = AuditedCall.recorded(part);
    threads.execute(
        client,
        RequestIds.named(() -> {
          if (client.isStopped()) {
            call.onError(UnreadAnswers.tooMany());
          } else {
            run(call, work);
          }
        }),
        () -> refuse(call));
  }

  private void refuse(ServerCallStreamObserver<?> call) {
    call.onError(
        new MemoryException(
            threads.isClosed() ? ErrorCode.CLOSED : ErrorCode.QUEUE_FULL,
            "too many pending requests; try again later"));
  }

  /// Prevents an exception when a response is sent after the caller has cancelled.
  static void tolerateCancel(ServerCallStreamObserver<?> call) {
    call.setOnCancelHandler(() -> {});
  }

  private static void run(ServerCallStreamObserver<?> call, Runnable work) {
    if (call.isCancelled()) {
      return;
    }
    try {
      work.run();
    } catch (RuntimeException | Error failure) {
      call.onError(failure);
    }
  }

  @Override
  public void close() {
    threads.close();
  }
}
