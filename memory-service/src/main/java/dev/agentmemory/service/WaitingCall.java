package dev.agentmemory.service;

import dev.agentmemory.api.WorkspaceSource;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.Status;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A call whose workspace is being opened. The transport's signals are queued meanwhile and then
/// passed on in order, by a thread that signals while no other one does. So no thread waits, and
/// none is needed.
final class WaitingCall<Q> extends ServerCall.Listener<Q> {

  private final ServerCall<Q, ?> call;
  private final Queue<Consumer<ServerCall.Listener<Q>>> held = new ConcurrentLinkedQueue<>();
  private final AtomicInteger signals = new AtomicInteger();
  private volatile ServerCall.@Nullable Listener<Q> started;

  private WaitingCall(ServerCall<Q, ?> call) {
    this.call = call;
  }

  static <Q, A> ServerCall.Listener<Q> start(
      CompletableFuture<WorkspaceSource.Lease> opening,
      ServerCall<Q, A> call,
      Metadata headers,
      ServerCallHandler<Q, A> next) {
    var waiting = new WaitingCall<>(call);
    Context context = Context.current();
    var _ =
        opening.whenComplete((lease, failure) ->
            context.run(() -> {
              if (lease == null) {
                waiting.fail(failure);
              } else {
                waiting.go(() -> LeasedCall.start(lease, call, headers, next));
              }
            }));
    return waiting;
  }

  private interface Start<Q> {
    ServerCall.Listener<Q> start();
  }

  private void go(Start<Q> start) {
    try {
      started = start.start();
      passOn();
    } catch (RuntimeException | Error failure) {
      fail(failure);
    }
  }

  private void fail(Throwable failure) {
    started = new ServerCall.Listener<>() {};
    refuse(failure);
    passOn();
  }

  /// [ErrorMapping] converts the failure to a status.
  private void refuse(Throwable failure) {
    call.close(Status.UNKNOWN.withCause(failure), new Metadata());
  }

  private void keep(Consumer<ServerCall.Listener<Q>> signal) {
    held.add(signal);
    passOn();
  }

  private void passOn() {
    ServerCall.Listener<Q> target = started;
    if (target == null || signals.getAndIncrement() != 0) {
      return;
    }
    int seen = 1;
    do {
      for (var signal = held.poll(); signal != null; signal = held.poll()) {
        guarded(target, signal);
      }
      seen = signals.addAndGet(-seen);
    } while (seen != 0);
  }

  /// Later signals must be passed on even after a failure, because they release the workspace.
  private void guarded(ServerCall.Listener<Q> target, Consumer<ServerCall.Listener<Q>> signal) {
    try {
      signal.accept(target);
    } catch (RuntimeException | Error failure) {
      refuse(failure);
    }
  }

  @Override
  public void onMessage(Q message) {
    keep(target -> target.onMessage(message));
  }

  @Override
  public void onHalfClose() {
    keep(ServerCall.Listener::onHalfClose);
  }

  @Override
  public void onCancel() {
    keep(ServerCall.Listener::onCancel);
  }

  @Override
  public void onComplete() {
    keep(ServerCall.Listener::onComplete);
  }

  @Override
  public void onReady() {
    keep(ServerCall.Listener::onReady);
  }
}
