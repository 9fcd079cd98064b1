package dev.agentmemory.service.internal.encoded;

import dev.agentmemory.api.encoded.EncodedAnswer;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/// Collects the only response of a call.
final class AnswerObserver implements StreamObserver<byte[]> {

  private final MessageFormat format;
  private final CompletableFuture<EncodedAnswer> result = new CompletableFuture<>();
  private Optional<byte[]> response = Optional.empty();

  AnswerObserver(MessageFormat format) {
    this.format = format;
  }

  CompletableFuture<EncodedAnswer> result() {
    return result;
  }

  @Override
  public void onNext(byte[] message) {
    response = Optional.of(message);
  }

  @Override
  public void onError(Throwable failure) {
    result.complete(CallFailure.of(failure));
  }

  @Override
  public void onCompleted() {
    try {
      result.complete(
          response
              .<EncodedAnswer>map(message -> new EncodedAnswer.Response(format.response(message)))
              .orElseGet(() -> CallFailure.of(Status.Code.INTERNAL, "the call had no response")));
    } catch (RuntimeException e) {
      result.completeExceptionally(e);
    }
  }
}
