package dev.agentmemory.bench.agents.program;

import dev.agentmemory.bench.agents.model.ToolCall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// Gemini CLI.
final class GeminiProgram implements AgentProgram {

  private static final List<String> ALLOWED = List.of("--approval-mode", "yolo");

  @Override
  public String id() {
    return "gemini";
  }

  @Override
  public String command() {
    return "gemini";
  }

  @Override
  public void prepare(Path home, String model) throws IOException {
    Path folder = Files.createDirectories(home.resolve(".gemini"));
    Files.writeString(
        folder.resolve("settings.json"),
        """
        {
          "security": { "auth": { "selectedType": "gemini-api-key" } },
          "general": { "disableAutoUpdate": true },
          "privacy": { "usageStatisticsEnabled": false }
        }
        """);
  }

  @Override
  public Map<String, String> variables(String model) {
    return Map.of(
        "GOOGLE_GEMINI_BASE_URL",
        model,
        "GEMINI_API_KEY",
        "any",
        "GEMINI_CLI_TRUST_WORKSPACE",
        "true");
  }

  @Override
  public List<String> start(String prompt) {
    return Arguments.of(ALLOWED, List.of("-p", prompt));
  }

  @Override
  public List<String> resume(String prompt) {
    return Arguments.of(ALLOWED, List.of("--resume", "latest", "-p", prompt));
  }

  /// A context cannot end the element that it is put into.
  @Override
  public String given(String context) {
    return context.replace("<", "&lt;").replace(">", "&gt;");
  }

  @Override
  public ToolCall shell(String command) {
    return ToolCall.of("run_shell_command", "command", command);
  }

  @Override
  public ToolCall search(String query) {
    return ToolCall.of("mcp_agent-memory_memory_search", "query", query);
  }
}
