package dev.agentmemory.bench.agents.program;

import dev.agentmemory.bench.agents.model.ToolCall;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Claude Code.
final class ClaudeCodeProgram implements AgentProgram {

  private static final List<String> TOOLS =
      List.of("--allowedTools", "Bash,Agent,mcp__plugin_agent-memory_memory");

  @Override
  public String id() {
    return "claude-code";
  }

  @Override
  public String command() {
    return "claude";
  }

  @Override
  public void prepare(Path home, String model) {
    // Variables are enough.
  }

  @Override
  public Map<String, String> variables(String model) {
    return Map.of(
        "ANTHROPIC_BASE_URL", model,
        "ANTHROPIC_API_KEY", "any",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1",
        "DISABLE_AUTOUPDATER", "1");
  }

  @Override
  public List<String> start(String prompt) {
    return Arguments.of(List.of("-p", prompt), TOOLS);
  }

  @Override
  public List<String> resume(String prompt) {
    return Arguments.of(List.of("--continue", "-p", prompt), TOOLS);
  }

  @Override
  public Optional<List<String>> fork(String prompt) {
    return Optional.of(Arguments.of(List.of("--continue", "--fork-session", "-p", prompt), TOOLS));
  }

  @Override
  public Optional<List<String>> compact() {
    return Optional.of(List.of("--continue", "-p", "/compact"));
  }

  @Override
  public Optional<List<String>> clear() {
    return Optional.of(List.of("--continue", "-p", "/clear"));
  }

  @Override
  public ToolCall shell(String command) {
    return ToolCall.of("Bash", "command", command, "description", "Run a command");
  }

  @Override
  public ToolCall search(String query) {
    return ToolCall.of("mcp__plugin_agent-memory_memory__memory_search", "query", query);
  }

  @Override
  public Optional<ToolCall> subagent(String prompt) {
    return Optional.of(
        ToolCall.of(
                "Agent",
                "description",
                "Look into it",
                "prompt",
                prompt,
                "subagent_type",
                "general-purpose")
            .with("run_in_background", false));
  }
}
