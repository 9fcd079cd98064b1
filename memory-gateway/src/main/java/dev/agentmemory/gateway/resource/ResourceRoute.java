package dev.agentmemory.gateway.resource;

import dev.agentmemory.api.access.Caller;
import dev.agentmemory.api.encoded.EncodedAnswer;
import dev.agentmemory.api.encoded.EncodedApi;
import dev.agentmemory.api.encoded.EncodedCall;
import dev.agentmemory.api.encoded.EncodedCall.Format;
import dev.agentmemory.gateway.http.ErrorReplies;
import dev.agentmemory.gateway.http.HttpCall;
import dev.agentmemory.gateway.http.HttpReply;
import dev.agentmemory.gateway.http.Route;
import dev.agentmemory.gateway.resource.Operation.Content;
import dev.agentmemory.gateway.rpc.CallHeaders;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

/// `/api/v1/`: the operations of the table [Operations]. A request becomes one call; its response
/// is the answer.
public final class ResourceRoute implements Route {

  private static final String ROOT = "/api/v1";

  private final EncodedApi calls;
  private final long mostBytes;
  private final OperationPaths paths;
  private final Map<Operation, OperationRequests> readers = new HashMap<>();

  /// @param calls makes the calls
  /// @param mostBytes of a body, as of a request over gRPC
  /// @throws IllegalArgumentException if the table names a field that does not exist
  public ResourceRoute(EncodedApi calls, long mostBytes) {
    this.calls = calls;
    this.mostBytes = mostBytes;
    this.paths = new OperationPaths(Operations.all());
    Operations.all()
        .forEach(operation -> readers.put(operation, new OperationRequests(operation, calls)));
  }

  @Override
  public String prefix() {
    return ROOT + "/";
  }

  @Override
  public long mostBytes() {
    return mostBytes;
  }

  @Override
  public boolean takesRawPath() {
    return true;
  }

  /// Each call is checked when it is made.
  @Override
  public void check(Caller caller) {}

  @Override
  public CompletableFuture<HttpReply> answer(HttpCall call) {
    try {
      return answerTo(call);
    } catch (MemoryException e) {
      return CompletableFuture.completedFuture(
          ErrorReplies.of(
              failure("INVALID_ARGUMENT", e.code(), e.field(), String.valueOf(e.getMessage()))));
    }
  }

  private CompletableFuture<HttpReply> answerTo(HttpCall call) {
    Optional<OperationPaths.Match> match =
        Optional.of(call.rawPath())
            .filter(path -> path.startsWith(prefix()))
            .flatMap(path -> paths.find(PathSegments.of(path.substring(ROOT.length()))));
    if (match.isEmpty()) {
      return missing("nothing is served under this path; openapi.json lists the operations");
    }
    Operation operation = match.get().operations().get(call.method());
    if (operation == null) {
      String allowed = String.join(", ", match.get().operations().keySet());
      return CompletableFuture.completedFuture(
          ErrorReplies.of(405, ErrorCode.INVALID_FIELD, "method: only " + allowed + " is served")
              .withHeader("Allow", allowed));
    }
    return answer(operation, call, match.get().values());
  }

  private CompletableFuture<HttpReply> answer(
      Operation operation, HttpCall call, List<String> path) {
    if (call.body().length > 0 && !hasType(operation, call)) {
      return CompletableFuture.completedFuture(
          ErrorReplies.of(
              415,
              ErrorCode.INVALID_FIELD,
              "content-type: the body is not " + String.join(" or ", types(operation))));
    }
    List<byte[]> requests = Objects.requireNonNull(readers.get(operation)).requests(call, path);
    var made =
        new EncodedCall(
            operation.service(),
            operation.method(),
            call.connection(),
            Format.JSON,
            CallHeaders.metadata(call),
            CallHeaders.timeout(call),
            requests.getFirst());
    if (operation.answer() == Content.LINES) {
      var lines = new LinesReply();
      var _ = calls.stream(made, List.of(), lines).thenAccept(lines::ended);
      return lines.reply();
    }
    CompletableFuture<EncodedAnswer> answer =
        operation.request() == Content.LINES
            ? streamed(made, requests.subList(1, requests.size()))
            : calls.call(made);
    return answer.thenApply(ended -> reply(operation, ended));
  }

  /// The only response to several requests.
  private CompletableFuture<EncodedAnswer> streamed(EncodedCall call, List<byte[]> more) {
    var response = new AtomicReference<>(new byte[0]);
    return calls.stream(
            call,
            more,
            message -> {
              response.set(message);
              return CompletableFuture.completedFuture(null);
            })
        .thenApply(ended ->
            ended instanceof EncodedAnswer.Response
                ? new EncodedAnswer.Response(response.get())
                : ended);
  }

  /// Also a protection: a page of another origin cannot send these types without being asked first.
  private static List<String> types(Operation operation) {
    return operation.request() == Content.LINES
        ? List.of("application/jsonl", "application/x-ndjson")
        : List.of("application/json");
  }

  private static boolean hasType(Operation operation, HttpCall call) {
    return call.header("content-type")
        .map(type -> type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT))
        .filter(types(operation)::contains)
        .isPresent();
  }

  private static HttpReply reply(Operation operation, EncodedAnswer answer) {
    return switch (answer) {
      case EncodedAnswer.Response(byte[] message) ->
          operation.found().filter(field -> !FirstField.is(field, message)).isEmpty()
              ? new HttpReply(200, "application/json", message, Map.of())
              : ErrorReplies.of(
                  failure("NOT_FOUND", ErrorCode.NOT_FOUND, Optional.empty(), "there is none"));
      case EncodedAnswer.Failure failure -> ErrorReplies.of(failure);
    };
  }

  private static CompletableFuture<HttpReply> missing(String message) {
    return CompletableFuture.completedFuture(
        ErrorReplies.of(failure("NOT_FOUND", ErrorCode.NOT_FOUND, Optional.empty(), message)));
  }

  private static EncodedAnswer.Failure failure(
      String status, ErrorCode code, Optional<String> field, String message) {
    return new EncodedAnswer.Failure(status, Optional.of(code), field, message, Optional.empty());
  }
}
