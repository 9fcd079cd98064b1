package dev.agentmemory.bench.agents.program;

import dev.agentmemory.bench.agents.model.ToolCall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// Codex CLI. Its review of hooks, which needs a terminal, is passed over.
final class CodexProgram implements AgentProgram {

  private static final List<String> ALLOWED =
      List.of(
          "--dangerously-bypass-hook-trust",
          "--dangerously-bypass-approvals-and-sandbox",
          "--skip-git-repo-check");

  @Override
  public String id() {
    return "codex";
  }

  @Override
  public String command() {
    return "codex";
  }

  @Override
  public void prepare(Path home, String model) throws IOException {
    Path folder = Files.createDirectories(home.resolve(".codex"));
    Files.writeString(
        folder.resolve("config.toml"),
        """
        model = "gpt-5"
        model_provider = "stand-in"

        [model_providers.stand-in]
        name = "stand-in"
        base_url = "%s/v1"
        wire_api = "responses"
        """
            .formatted(model));
  }

  @Override
  public Map<String, String> variables(String model) {
    return Map.of();
  }

  @Override
  public List<String> start(String prompt) {
    return Arguments.of(Arguments.of(List.of("exec"), ALLOWED), List.of(prompt));
  }

  @Override
  public List<String> resume(String prompt) {
    return Arguments.of(
        Arguments.of(List.of("exec"), ALLOWED), List.of("resume", "--last", prompt));
  }

  @Override
  public ToolCall shell(String command) {
    return ToolCall.of("exec_command", "cmd", command);
  }

  @Override
  public ToolCall search(String query) {
    return ToolCall.of("memory_search", "query", query).in("mcp__agent_memory");
  }
}
