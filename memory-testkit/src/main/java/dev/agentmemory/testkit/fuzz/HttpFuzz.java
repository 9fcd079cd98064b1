package dev.agentmemory.testkit.fuzz;

import dev.agentmemory.testkit.fuzz.FuzzAttempt.Outcome;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/// Bodies over HTTP: payloads of hooks, messages of MCP, calls in JSON. One of five is good.
public final class HttpFuzz implements FuzzTarget {

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  /// A good request.
  ///
  /// @param accept the header of this name
  private record Good(String path, String accept, String body) {

    static Good hook(String agent, String event, String body) {
      return new Good("/hooks/" + agent + "/" + event, "application/json", body);
    }

    static Good rpc(String method, String body) {
      return new Good("/rpc/memory." + method, "application/json", body);
    }

    static Good mcp(String method, String params) {
      return new Good(
          "/mcp",
          "application/json, text/event-stream",
          "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}"
              .formatted(method, params));
    }
  }

  private static final List<Good> GOOD =
      List.of(
          Good.hook(
              "claude-code",
              "UserPromptSubmit",
              "{\"session_id\":\"h-1\",\"cwd\":\"/nowhere\",\"prompt_id\":\"p\",\"prompt\":\"Why?\"}"),
          Good.hook(
              "claude-code",
              "PostToolUse",
              "{\"session_id\":\"h-1\",\"cwd\":\"/nowhere\",\"tool_name\":\"Bash\",\"tool_use_id\":\"t\","
                  + "\"tool_input\":{\"command\":\"make\"},\"tool_response\":{\"stdout\":\"ok\"}}"),
          Good.hook(
              "claude-code",
              "Stop",
              "{\"session_id\":\"h-1\",\"cwd\":\"/nowhere\",\"last_assistant_message\":\"Done.\"}"),
          Good.hook(
              "claude-code",
              "SessionStart",
              "{\"session_id\":\"h-2\",\"cwd\":\"/nowhere\",\"source\":\"startup\"}"),
          Good.hook(
              "codex",
              "PostToolUse",
              "{\"session_id\":\"h-3\",\"cwd\":\"/nowhere\",\"turn_id\":\"u\",\"tool_name\":\"Bash\","
                  + "\"tool_input\":{\"command\":[\"ls\"]},\"tool_response\":\"a b\"}"),
          Good.hook(
              "gemini",
              "AfterAgent",
              "{\"session_id\":\"h-4\",\"cwd\":\"/nowhere\",\"prompt\":\"Why?\",\"prompt_response\":\"So.\"}"),
          Good.hook(
              "copilot",
              "userPromptSubmitted",
              "{\"sessionId\":\"h-5\",\"timestamp\":1772000000000,\"cwd\":\"/nowhere\",\"prompt\":\"Why?\"}"),
          Good.rpc("SearchService/Search", "{\"query\":\"backoff\",\"limit\":5}"),
          Good.rpc("MemoryService/GetTocRoot", "{}"),
          Good.rpc("RecallService/Remember", "{\"memory\":{\"content\":\"Logs rotate hourly.\"}}"),
          Good.rpc(
              "MemoryService/IngestEvent",
              "{\"event\":{\"event_id\":\"01KJA0000000000000000000AB\",\"session_id\":\"h-6\","
                  + "\"timestamp_ms\":\"1772000000000\",\"text\":\"Why?\",\"metadata\":{\"a\":\"b\"}}}"),
          Good.mcp(
              "initialize",
              "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
                  + "\"clientInfo\":{\"name\":\"x\",\"version\":\"1\"}}"),
          Good.mcp("tools/list", "{}"),
          Good.mcp(
              "tools/call", "{\"name\":\"memory_search\",\"arguments\":{\"query\":\"backoff\"}}"),
          Good.mcp("tools/call", "{\"name\":\"memory_browse\",\"arguments\":{}}"),
          Good.mcp("resources/read", "{\"uri\":\"memory://toc/2026\"}"));

  private final HttpClient client;
  private final URI daemon;
  private final String token;

  /// @param daemon its address, such as `http://127.0.0.1:7777`
  public HttpFuzz(HttpClient client, URI daemon, String token) {
    this.client = client;
    this.daemon = daemon;
    this.token = token;
  }

  @Override
  public String name() {
    return "HTTP";
  }

  @Override
  public FuzzAttempt attempt(RandomGenerator random) throws IOException, InterruptedException {
    Good good = GOOD.get(random.nextInt(GOOD.size()));
    byte[] body =
        random.nextInt(5) == 0
            ? good.body.getBytes(StandardCharsets.UTF_8)
            : Changed.bytesOf(good.body, random);
    String input = good.path + " " + new String(body, StandardCharsets.UTF_8);
    HttpRequest request =
        HttpRequest.newBuilder(daemon.resolve(good.path))
            .timeout(TIMEOUT)
            .header("authorization", "Bearer " + token)
            .header("content-type", "application/json")
            .header("accept", good.accept)
            .header("memory-workspace", "default")
            .POST(BodyPublishers.ofByteArray(body))
            .build();
    try {
      var answer = client.send(request, BodyHandlers.ofString());
      return new FuzzAttempt(
          outcome(good, answer.statusCode(), answer.body()),
          input,
          answer.statusCode() + " " + answer.body());
    } catch (HttpTimeoutException e) {
      return new FuzzAttempt(Outcome.HANG, input, String.valueOf(e.getMessage()));
    }
  }

  /// A hook is never told that its payload is wrong.
  private static Outcome outcome(Good good, int status, String body) {
    if (status >= 500 || status == 401 || status == 403) {
      return Outcome.DEFECT;
    }
    if (good.path.startsWith("/hooks/")) {
      return status < 300 ? Outcome.VALID : Outcome.DEFECT;
    }
    // An internal error of JSON-RPC.
    if (body.contains("-32603")) {
      return Outcome.DEFECT;
    }
    return status == 400 || status == 413 || body.contains("\"error\"")
        ? Outcome.REFUSED
        : Outcome.VALID;
  }
}
