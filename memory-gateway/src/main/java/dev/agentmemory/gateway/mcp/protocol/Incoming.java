package dev.agentmemory.gateway.mcp.protocol;

import dev.agentmemory.gateway.http.HttpCall;
import dev.agentmemory.gateway.http.HttpReply;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// A message that came in, and the forms of its answers.
///
/// @param id null for a notification
record Incoming(HttpCall call, @Nullable Object id, String method, Map<String, Object> params) {

  private static final String EVENT_STREAM = "text/event-stream";

  boolean isNotification() {
    return id == null;
  }

  McpRequest request(McpRevision revision) {
    return new McpRequest(revision, method, params, call.header(), call.query(), call.caller());
  }

  /// Calls a method. What it throws becomes a failed future.
  CompletableFuture<McpOutcome> call(McpMethod called, McpRevision revision) {
    try {
      return called.handler().handle(request(revision));
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /// The answer with a result: JSON, or a stream of events if something has to be said before and
  /// the client takes one.
  HttpReply result(Map<String, Object> fields, List<Map<String, Object>> before) {
    Map<String, Object> answer =
        Json.object("jsonrpc", "2.0", "id", Objects.requireNonNull(id), "result", fields);
    boolean stream =
        !before.isEmpty()
            && call.header("accept").filter(types -> types.contains(EVENT_STREAM)).isPresent();
    if (!stream) {
      return HttpReply.json(Json.write(answer));
    }
    var events = new StringBuilder();
    before.forEach(message -> append(events, message));
    append(events, answer);
    return new HttpReply(
        200,
        EVENT_STREAM,
        events.toString().getBytes(StandardCharsets.UTF_8),
        Map.of("cache-control", "no-store"));
  }

  private static void append(StringBuilder events, Map<String, Object> message) {
    events.append("event: message\ndata: ").append(Json.write(message)).append("\n\n");
  }

  static Map<String, Object> failure(@Nullable Object id, McpError error) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("code", error.code());
    fields.put("message", error.message());
    if (!error.data().isEmpty()) {
      fields.put("data", error.data());
    }
    return Json.object("jsonrpc", "2.0", "id", id == null ? Json.NULL : id, "error", fields);
  }
}
