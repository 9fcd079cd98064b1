package dev.agentmemory.gateway.rpc;

import dev.agentmemory.api.access.Caller;
import dev.agentmemory.api.encoded.EncodedAnswer;
import dev.agentmemory.api.encoded.EncodedCall;
import dev.agentmemory.api.encoded.EncodedCall.Format;
import dev.agentmemory.api.encoded.EncodedCalls;
import dev.agentmemory.gateway.http.ErrorReplies;
import dev.agentmemory.gateway.http.HttpCall;
import dev.agentmemory.gateway.http.HttpReply;
import dev.agentmemory.gateway.http.Route;
import dev.agentmemory.types.ErrorCode;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/// `POST /rpc/{service}/{method}`: a unary call. The body is the request, in JSON or in the binary
/// format of protobuf; the response has the same format. Errors are JSON in both.
///
/// @param calls makes the calls
/// @param mostBytes of a request, as over gRPC
public record RpcRoute(EncodedCalls calls, long mostBytes) implements Route {

  @Override
  public String prefix() {
    return "/rpc/";
  }

  /// Each method is checked when it is called.
  @Override
  public void check(Caller caller) {}

  @Override
  public CompletableFuture<HttpReply> answer(HttpCall call) {
    if (!call.method().equals("POST")) {
      return refused(405, "method: only POST is served");
    }
    String[] path = call.path().substring(prefix().length()).split("/", -1);
    if (path.length != 2) {
      return CompletableFuture.completedFuture(
          ErrorReplies.of(404, ErrorCode.NOT_FOUND, "the path is /rpc/{service}/{method}"));
    }
    Optional<Format> format = call.header("content-type").flatMap(RpcRoute::format);
    if (format.isEmpty()) {
      return refused(415, "content-type: is neither application/json nor application/x-protobuf");
    }
    return calls
        .call(
            new EncodedCall(
                path[0],
                path[1],
                call.connection(),
                format.get(),
                CallHeaders.metadata(call),
                CallHeaders.timeout(call),
                call.body()))
        .thenApply(answer -> reply(answer, format.get()));
  }

  private static CompletableFuture<HttpReply> refused(int status, String message) {
    return CompletableFuture.completedFuture(
        ErrorReplies.of(status, ErrorCode.INVALID_FIELD, message));
  }

  private static Optional<Format> format(String contentType) {
    return switch (contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT)) {
      case "application/json" -> Optional.of(Format.JSON);
      case "application/x-protobuf" -> Optional.of(Format.PROTOBUF);
      default -> Optional.empty();
    };
  }

  private static HttpReply reply(EncodedAnswer answer, Format format) {
    return switch (answer) {
      case EncodedAnswer.Response(byte[] message) ->
          new HttpReply(
              200,
              switch (format) {
                case JSON -> "application/json";
                case PROTOBUF -> "application/x-protobuf";
              },
              message,
              Map.of());
      case EncodedAnswer.Failure failure -> ErrorReplies.of(failure);
    };
  }
}
