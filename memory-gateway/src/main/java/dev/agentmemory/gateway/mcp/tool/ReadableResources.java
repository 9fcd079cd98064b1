package dev.agentmemory.gateway.mcp.tool;

import dev.agentmemory.api.Memory;
import dev.agentmemory.api.WorkspaceSource.Access;
import dev.agentmemory.api.text.TextLimit;
import dev.agentmemory.gateway.mcp.protocol.Json;
import dev.agentmemory.gateway.mcp.protocol.McpError;
import dev.agentmemory.gateway.mcp.protocol.McpOutcome;
import dev.agentmemory.gateway.mcp.protocol.McpRequest;
import dev.agentmemory.gateway.mcp.protocol.McpResources;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.ToIntFunction;

/// The resources `memory://toc/{node}` and `memory://event/{id}`. None is listed: there may be
/// millions. A resource has at most [#MOST_TOKENS] tokens.
final class ReadableResources {

  private static final String NODE = "memory://toc/";
  private static final String EVENT = "memory://event/";
  private static final String TYPE = "text/markdown";
  private static final int MOST_TOKENS = 8000;

  private final ToolCalls calls;
  private final AnswerBudget budget;

  ReadableResources(ToolCalls calls, ToIntFunction<String> tokens) {
    this.calls = calls;
    this.budget = new AnswerBudget(tokens, MOST_TOKENS);
  }

  McpResources declared() {
    return new McpResources(
        List.of(),
        List.of(
            template(NODE + "{node}", "toc", "A period or segment of the table of contents"),
            template(EVENT + "{id}", "event", "What was said, by the id of its citation")),
        this::read);
  }

  private static Map<String, Object> template(String uri, String name, String description) {
    return Json.object(
        "uriTemplate", uri, "name", name, "description", description, "mimeType", TYPE);
  }

  private CompletableFuture<McpOutcome> read(McpRequest request) {
    Optional<String> uri = request.text("uri");
    if (uri.isEmpty()) {
      return refused(McpError.invalidParams("uri is missing; use memory://toc/{node}")).now();
    }
    try {
      TextLimit.DEFAULT.check("uri", uri.get());
      ToolCalls.Place place = calls.place(request);
      return calls
          .run(place.workspace(), Access.READ, lease -> outcome(lease.memory(), uri.get()))
          .exceptionally(failure -> failed(failure, uri.get()));
    } catch (MemoryException e) {
      return refused(McpError.invalidParams(ToolCalls.message(e))).now();
    }
  }

  private McpOutcome outcome(Memory memory, String uri) {
    List<String> blocks = blocks(memory, uri);
    if (blocks.isEmpty()) {
      return refused(McpError.noResource(uri));
    }
    String text = budget.recalled(blocks, more -> more + " more lines", "");
    return new McpOutcome.Result(
        Map.of("contents", List.of(Json.object("uri", uri, "mimeType", TYPE, "text", text))));
  }

  private static List<String> blocks(Memory memory, String uri) {
    if (uri.startsWith(NODE)) {
      return NodeId.parse(id(uri, NODE))
          .flatMap(id -> memory.contents().node(id))
          .map(Texts::node)
          .orElse(List.of());
    }
    return uri.startsWith(EVENT)
        ? event(id(uri, EVENT))
            .flatMap(id -> memory.events().event(id))
            .map(event -> List.of(Texts.event(event)))
            .orElse(List.of())
        : List.of();
  }

  private static Optional<EventId> event(String text) {
    try {
      return Optional.of(EventId.parseStored("uri", text));
    } catch (MemoryException e) {
      return Optional.empty();
    }
  }

  private static String id(String uri, String prefix) {
    String coded = uri.substring(prefix.length());
    try {
      return URLDecoder.decode(coded.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return coded;
    }
  }

  private static McpOutcome refused(McpError error) {
    return new McpOutcome.Refusal(error);
  }

  /// A workspace without a memory has no resources.
  private static McpOutcome failed(Throwable failure, String uri) {
    Throwable cause = ToolCalls.cause(failure);
    if (cause instanceof MemoryException known) {
      return refused(
          known.code() == ErrorCode.NOT_FOUND
              ? McpError.noResource(uri)
              : McpError.invalidParams(ToolCalls.message(known)));
    }
    throw cause instanceof RuntimeException e ? e : new CompletionException(cause);
  }
}
