package dev.agentmemory.service.internal.encoded;

import dev.agentmemory.api.encoded.EncodedAnswer;
import dev.agentmemory.api.encoded.EncodedStreams.Responses;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.concurrent.CompletableFuture;

/// Passes the responses of a call on, each after the one before was taken.
final class StreamedResponses extends ClientCall.Listener<byte[]> {

  private final ClientCall<byte[], byte[]> call;
  private final MessageFormat format;
  private final Responses responses;
  private final CompletableFuture<EncodedAnswer> result = new CompletableFuture<>();

  StreamedResponses(ClientCall<byte[], byte[]> call, MessageFormat format, Responses responses) {
    this.call = call;
    this.format = format;
    this.responses = responses;
  }

  CompletableFuture<EncodedAnswer> result() {
    return result;
  }

  @Override
  public void onMessage(byte[] message) {
    var _ =
        responses
            .take(format.response(message))
            .whenComplete((_, failure) -> {
              if (failure == null) {
                call.request(1);
              } else {
                call.cancel("the response was not taken", failure);
              }
            });
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    result.complete(
        status.isOk()
            ? new EncodedAnswer.Response(new byte[0])
            : CallFailure.of(status.asRuntimeException(trailers)));
  }
}
