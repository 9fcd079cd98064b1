package dev.agentmemory.bench.agents.program;

import dev.agentmemory.bench.agents.model.ToolCall;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Copilot CLI.
final class CopilotProgram implements AgentProgram {

  private static final List<String> ALLOWED = List.of("--allow-all-tools");

  @Override
  public String id() {
    return "copilot";
  }

  @Override
  public String command() {
    return "copilot";
  }

  @Override
  public void prepare(Path home, String model) {
    // Variables are enough.
  }

  @Override
  public Map<String, String> variables(String model) {
    return Map.of(
        "COPILOT_OFFLINE", "true",
        "COPILOT_PROVIDER_BASE_URL", model + "/v1",
        "COPILOT_MODEL", "gpt-5",
        "COPILOT_ALLOW_ALL", "true");
  }

  @Override
  public List<String> start(String prompt) {
    return Arguments.of(ALLOWED, List.of("-p", prompt));
  }

  @Override
  public List<String> resume(String prompt) {
    return Arguments.of(ALLOWED, List.of("--continue", "-p", prompt));
  }

  @Override
  public ToolCall shell(String command) {
    return ToolCall.of("bash", "command", command, "description", "Run a command");
  }

  @Override
  public ToolCall search(String query) {
    return ToolCall.of("agent-memory-memory_search", "query", query);
  }

  @Override
  public Optional<ToolCall> subagent(String prompt) {
    return Optional.of(
        ToolCall.of(
            "task",
            "name",
            "look",
            "description",
            "Look into it",
            "prompt",
            prompt,
            "agent_type",
            "general-purpose",
            "mode",
            "sync"));
  }
}
