package dev.agentmemory.client;

import dev.agentmemory.api.BackupStep;
import dev.agentmemory.proto.BackupServiceGrpc;
import dev.agentmemory.proto.CreateBackupRequest;
import dev.agentmemory.proto.CreateBackupResponse;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.wire.BackupMessages;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// One backup, from the caller's point of view. It may take hours, so it has no deadline. The
/// daemon sends a message every second; if none arrives, the wait ends.
final class BackupCall {

  private final CallFailures failures;
  private final Duration silence;

  /// Messages from the transport's thread: a few per second.
  private final BlockingQueue<Item> items = new LinkedBlockingQueue<>();

  /// @param step absent at the end of the stream
  /// @param failure why the stream ended; empty when it ended normally
  private record Item(Optional<BackupStep> step, Optional<MemoryException> failure, boolean last) {}

  BackupCall(CallFailures failures, Duration silence) {
    this.failures = failures;
    this.silence = silence;
  }

  /// @throws MemoryException the daemon's refusal; `UNREACHABLE` when it stops sending
  void run(Channel channel, CreateBackupRequest request, Consumer<BackupStep> steps) {
    ClientCall<CreateBackupRequest, CreateBackupResponse> call =
        channel.newCall(BackupServiceGrpc.getCreateBackupMethod(), CallOptions.DEFAULT);
    ClientCalls.asyncServerStreamingCall(call, request, observer());
    boolean ended = false;
    try {
      while (!ended) {
        ended = next(steps);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MemoryException(ErrorCode.CLOSED, "the wait for the backup was interrupted", e);
    } finally {
      if (!ended) {
        call.cancel("the caller cancelled the call", null);
      }
    }
  }

  /// @return whether the stream has ended
  private boolean next(Consumer<BackupStep> steps) throws InterruptedException {
    Item item = items.poll(silence.toMillis(), TimeUnit.MILLISECONDS);
    if (item == null) {
      throw new MemoryException(
          ErrorCode.UNREACHABLE,
          "no response from the daemon for %d s; see `memory status`"
              .formatted(silence.toSeconds()));
    }
    if (item.failure().isPresent()) {
      throw item.failure().get();
    }
    item.step().ifPresent(steps);
    return item.last();
  }

  private StreamObserver<CreateBackupResponse> observer() {
    return new StreamObserver<>() {
      @Override
      public void onNext(CreateBackupResponse message) {
        items.add(new Item(BackupMessages.fromWire(message), Optional.empty(), /* last= */ false));
      }

      @Override
      public void onError(Throwable failure) {
        items.add(new Item(Optional.empty(), Optional.of(failures.of(failure)), /* last= */ true));
      }

      @Override
      public void onCompleted() {
        items.add(new Item(Optional.empty(), Optional.empty(), /* last= */ true));
      }
    };
  }
}
