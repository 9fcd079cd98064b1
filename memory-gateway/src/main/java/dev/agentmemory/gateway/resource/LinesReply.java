package dev.agentmemory.gateway.resource;

import dev.agentmemory.api.encoded.EncodedAnswer;
import dev.agentmemory.api.encoded.EncodedStreams.Responses;
import dev.agentmemory.gateway.http.ErrorReplies;
import dev.agentmemory.gateway.http.HttpReply;
import dev.agentmemory.gateway.http.StreamedBody;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/// The lines of the responses of a call as the body of an answer. A call that fails before its
/// first response is answered with an error. One that fails later cuts the connection, so that the
/// client sees that lines are missing. The next response is taken when the client has taken the one
/// before.
final class LinesReply implements Responses, StreamedBody {

  private static final String TYPE = "application/jsonl";

  private final CompletableFuture<HttpReply> reply = new CompletableFuture<>();
  private final CompletableFuture<Writer> writer = new CompletableFuture<>();
  private volatile CompletableFuture<Void> last = CompletableFuture.completedFuture(null);

  /// The answer, as soon as it is known whether it is an error.
  CompletableFuture<HttpReply> reply() {
    return reply;
  }

  @Override
  public CompletableFuture<Void> take(byte[] message) {
    byte[] lines = LineMessages.ofMessage(message);
    last = writer.thenCompose(open -> open.write(lines));
    reply.complete(HttpReply.streamed(TYPE, this));
    return last;
  }

  @Override
  public void start(Writer opened) {
    writer.complete(opened);
  }

  /// The call has ended.
  void ended(EncodedAnswer answer) {
    switch (answer) {
      case EncodedAnswer.Response _ -> {
        reply.complete(new HttpReply(200, TYPE, new byte[0], Map.of()));
        var _ = last.thenCombine(writer, (_, open) -> open).thenAccept(Writer::end);
      }
      case EncodedAnswer.Failure failure -> {
        if (!reply.complete(ErrorReplies.of(failure))) {
          var _ = writer.thenAccept(Writer::cut);
        }
      }
    }
  }
}
