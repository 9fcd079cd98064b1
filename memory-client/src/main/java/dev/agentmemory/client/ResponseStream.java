package dev.agentmemory.client;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.MethodDescriptor;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ClientResponseObserver;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The responses of one call, from the caller's point of view. The call may take hours, so it has
/// no deadline; if no response arrives for some time, the wait ends. The next response is requested
/// when the one before was consumed, so a slow consumer slows the daemon down.
final class ResponseStream<Q, A> {

  private final CallFailures failures;
  private final Duration silence;

  /// Responses from the transport's thread, at most one and the end.
  private final BlockingQueue<Item<A>> items = new LinkedBlockingQueue<>();

  private @Nullable ClientCallStreamObserver<Q> requests;

  /// @param answer absent at the end of the stream
  /// @param failure why the stream ended; empty when it ended normally
  private record Item<A>(Optional<A> answer, Optional<MemoryException> failure) {}

  ResponseStream(CallFailures failures, Duration silence) {
    this.failures = failures;
    this.silence = silence;
  }

  /// @param consumer gets each response, on the caller's thread
  /// @throws MemoryException the daemon's refusal; `UNREACHABLE` when it stops sending
  void run(Channel channel, MethodDescriptor<Q, A> method, Q request, Consumer<A> consumer) {
    ClientCall<Q, A> call = channel.newCall(method, CallOptions.DEFAULT);
    ClientCalls.asyncServerStreamingCall(call, request, new Incoming());
    boolean ended = false;
    try {
      while (!ended) {
        ended = next(consumer);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MemoryException(ErrorCode.CLOSED, "the wait for a response was interrupted", e);
    } finally {
      if (!ended) {
        call.cancel("the caller cancelled the call", null);
      }
    }
  }

  /// @return whether the stream has ended
  private boolean next(Consumer<A> consumer) throws InterruptedException {
    Item<A> item = items.poll(silence.toMillis(), TimeUnit.MILLISECONDS);
    if (item == null) {
      throw new MemoryException(
          ErrorCode.UNREACHABLE,
          "no response from the daemon for %d s; see `memory status`"
              .formatted(silence.toSeconds()));
    }
    if (item.failure().isPresent()) {
      throw item.failure().get();
    }
    if (item.answer().isEmpty()) {
      return true;
    }
    consumer.accept(item.answer().get());
    ClientCallStreamObserver<Q> known = requests;
    if (known != null) {
      known.request(1);
    }
    return false;
  }

  private final class Incoming implements ClientResponseObserver<Q, A> {

    /// Runs on the caller's thread, before the call starts.
    @Override
    public void beforeStart(ClientCallStreamObserver<Q> call) {
      requests = call;
      call.disableAutoRequestWithInitial(1);
    }

    @Override
    public void onNext(A answer) {
      items.add(new Item<>(Optional.of(answer), Optional.empty()));
    }

    @Override
    public void onError(Throwable failure) {
      items.add(new Item<>(Optional.empty(), Optional.of(failures.of(failure))));
    }

    @Override
    public void onCompleted() {
      items.add(new Item<>(Optional.empty(), Optional.empty()));
    }
  }
}
