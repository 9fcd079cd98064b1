package dev.agentmemory.gateway.mcp.protocol;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/// What became of a request.
public sealed interface McpOutcome {

  /// It has a result.
  ///
  /// @param fields of the result object, in order; values are those of JSON as Java has them: maps
  ///   with text keys, lists, texts, numbers, booleans
  /// @param before notifications that are sent before it, where the client takes a stream
  record Result(Map<String, Object> fields, List<Map<String, Object>> before)
      implements McpOutcome {

    public Result {
      before = List.copyOf(before);
    }

    public Result(Map<String, Object> fields) {
      this(fields, List.of());
    }

    /// The content of a tool's result that is one text.
    public static Result text(String text, boolean isError) {
      var fields = new LinkedHashMap<String, Object>();
      fields.put("content", List.of(Json.object("type", "text", "text", text)));
      fields.put("isError", isError);
      return new Result(fields);
    }
  }

  /// It was refused.
  record Refusal(McpError error) implements McpOutcome {}

  /// The outcome, known already.
  default CompletableFuture<McpOutcome> now() {
    return CompletableFuture.completedFuture(this);
  }
}
