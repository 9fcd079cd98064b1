package dev.agentmemory.gateway.mcp.protocol;

import dev.agentmemory.gateway.http.HttpReply;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/// The revisions of 2025, whose clients begin with `initialize`. What a client has said there is
/// not kept: the methods answer the same to all of them.
final class InitializedProtocol {

  private static final String SESSION_HEADER = "Mcp-Session-Id";

  private final RandomGenerator random;
  private final McpFeatures features;

  InitializedProtocol(RandomGenerator random, McpFeatures features) {
    this.random = random;
    this.features = features;
  }

  CompletableFuture<HttpReply> answer(Incoming incoming) {
    if (incoming.isNotification()) {
      return McpEndpoint.done(HttpReply.empty(202));
    }
    return switch (incoming.method()) {
      case "initialize" -> McpEndpoint.done(initialize(incoming));
      case "ping" -> McpEndpoint.done(incoming.result(Map.of(), List.of()));
      default -> call(incoming);
    };
  }

  private HttpReply initialize(Incoming incoming) {
    if (!(incoming.params().get("protocolVersion") instanceof String asked)) {
      return refused(
          incoming,
          McpError.invalidParams("protocolVersion is missing; send one such as 2025-11-25"));
    }
    McpRevision revision =
        McpRevision.of(asked).filter(McpRevision::initializes).orElse(McpRevision.OFFERED);
    var fields = new LinkedHashMap<String, Object>();
    fields.put("protocolVersion", revision.date());
    fields.put("capabilities", features.capabilities());
    fields.put("serverInfo", features.info());
    fields.put("instructions", features.instructions());
    HttpReply plain = incoming.result(fields, List.of());
    String session = "%016x%016x".formatted(random.nextLong(), random.nextLong());
    return new HttpReply(
        plain.status(), plain.contentType(), plain.body(), Map.of(SESSION_HEADER, session));
  }

  private CompletableFuture<HttpReply> call(Incoming incoming) {
    McpMethod method = features.methods().get(incoming.method());
    if (method == null) {
      return McpEndpoint.done(refused(incoming, McpError.methodNotFound(incoming.method())));
    }
    McpRevision revision =
        incoming
            .call()
            .header(McpEndpoint.VERSION_HEADER)
            .map(String::strip)
            .flatMap(McpRevision::of)
            .orElse(McpRevision.OFFERED);
    return incoming.call(method, revision).thenApply(outcome -> reply(incoming, outcome));
  }

  private static HttpReply reply(Incoming incoming, McpOutcome outcome) {
    return switch (outcome) {
      case McpOutcome.Result(Map<String, Object> fields, var before) ->
          incoming.result(fields, before);
      case McpOutcome.Refusal(McpError error) -> refused(incoming, error);
    };
  }

  /// These revisions answer a request that could be read with 200, and have a code of their own for
  /// resources that do not exist.
  private static HttpReply refused(Incoming incoming, McpError error) {
    boolean resource = error.data().containsKey("uri");
    int code = resource ? McpError.RESOURCE_NOT_FOUND : error.code();
    var told = new McpError(code, error.message(), error.data(), 200);
    return McpEndpoint.refused(incoming.id(), told);
  }
}
