package dev.agentmemory.gateway.mcp.tool;

import dev.agentmemory.api.Memory;
import dev.agentmemory.api.WorkspaceSource;
import dev.agentmemory.api.WorkspaceSource.Access;
import dev.agentmemory.api.access.Caller;
import dev.agentmemory.engine.Engine;
import dev.agentmemory.engine.config.EmbeddingConfig;
import dev.agentmemory.engine.config.EngineConfig;
import dev.agentmemory.gateway.http.HttpCall;
import dev.agentmemory.gateway.http.HttpReply;
import dev.agentmemory.gateway.http.Route;
import dev.agentmemory.gateway.mcp.ToolUseDirectory;
import dev.agentmemory.gateway.mcp.protocol.Json;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.testkit.Await;
import dev.agentmemory.toc.segment.BpeTokens;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.WorkspaceName;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The MCP route over a real engine with a store on disk.
final class ToolEngine implements AutoCloseable {

  static final WorkspaceName PROJECT = new WorkspaceName("project");
  static final BpeTokens TOKENS = new BpeTokens();

  private final Engine engine;
  private final Route route;
  private Caller caller = Caller.OWNER;

  ToolEngine(Path data, ToolUseDirectory uses) {
    SystemServices system = SystemServices.ofMachine();
    engine = Engine.open(system, config(data), () -> {});
    route =
        MemoryMcp.route(
            system.clock(), new SplittableRandom(1), engine.source(), uses, TOKENS::count);
  }

  private static EngineConfig config(Path data) {
    EngineConfig defaults = EngineConfig.defaults(data);
    var noEmbedding =
        new EmbeddingConfig(
            EmbeddingConfig.Provider.NONE,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Duration.ofSeconds(30),
            1);
    return new EngineConfig(
        defaults.data(),
        defaults.db(),
        defaults.segmentation(),
        Duration.ofMillis(10),
        defaults.ingest(),
        defaults.storage(),
        defaults.database(),
        defaults.workspaces(),
        defaults.summarizer(),
        noEmbedding,
        defaults.jobs(),
        defaults.backup(),
        defaults.retention(),
        defaults.recall());
  }

  /// Stores events and waits until they can be found and browsed.
  void store(List<Event> events) {
    with(memory -> {
      memory.ingest().append(events).join();
      Await.until(
          "the events are indexed and in the table of contents",
          () ->
              memory.search().status().behind() == 0
                  && memory.search().status().events() >= events.size()
                  && memory.admin().status().tocComplete());
    });
  }

  /// Works on the memory of the project without a tool.
  void with(Consumer<Memory> work) {
    try (WorkspaceSource.Lease lease =
        engine.source().lease(Optional.of(PROJECT), Access.WRITE).join()) {
      work.accept(lease.memory());
    }
  }

  /// Whose token the following calls carry.
  void as(Caller other) {
    caller = other;
  }

  /// Calls a tool as a client of 2025 does, for the workspace of the project.
  Answer call(String tool, Map<String, Object> arguments) {
    return call(tool, arguments, Map.of(), Map.of("memory-workspace", PROJECT.value()));
  }

  Answer call(
      String tool,
      Map<String, Object> arguments,
      Map<String, Object> meta,
      Map<String, String> headers) {
    Map<String, Object> answer =
        post(
            "tools/call",
            Json.object("name", tool, "arguments", arguments, "_meta", meta),
            headers);
    Map<String, Object> result = object(answer.get("result"));
    List<?> content = (List<?>) Objects.requireNonNull(result.get("content"));
    if (content.size() != 1 || result.containsKey("structuredContent")) {
      throw new AssertionError("not one form: " + answer);
    }
    return new Answer(
        String.valueOf(object(content.getFirst()).get("text")),
        Boolean.TRUE.equals(result.get("isError")));
  }

  /// The text of a tool's answer.
  record Answer(String text, boolean isError) {}

  Map<String, Object> post(String method, Map<String, Object> params, Map<String, String> headers) {
    HttpReply reply =
        raw(
            Json.object("jsonrpc", "2.0", "id", 1, "method", method, "params", params),
            headers,
            Map.of());
    return object(Json.read(reply.body()).orElseThrow());
  }

  HttpReply raw(Object message, Map<String, String> headers, Map<String, String> query) {
    Map<String, String> lower = new HashMap<>();
    headers.forEach((name, value) -> lower.put(name.toLowerCase(Locale.ROOT), value));
    byte[] body = Json.write(message).getBytes(StandardCharsets.UTF_8);
    var call =
        new HttpCall(
            "POST",
            MemoryMcp.PATH,
            MemoryMcp.PATH,
            query,
            name -> Optional.ofNullable(lower.get(name.toLowerCase(Locale.ROOT))),
            body,
            true,
            caller,
            "");
    return route.answer(call).join();
  }

  @SuppressWarnings("unchecked") // Objects of JSON have text keys only.
  static Map<String, Object> object(@Nullable Object value) {
    return (Map<String, Object>) Objects.requireNonNull(value);
  }

  @Override
  public void close() {
    engine.close();
  }
}
