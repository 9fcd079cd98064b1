package dev.agentmemory.bench.agents.program;

import dev.agentmemory.bench.agents.model.ToolCall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// OpenCode.
final class OpenCodeProgram implements AgentProgram {

  @Override
  public String id() {
    return "opencode";
  }

  @Override
  public String command() {
    return "opencode";
  }

  @Override
  public void prepare(Path home, String model) throws IOException {
    Path folder = Files.createDirectories(home.resolve(".config").resolve("opencode"));
    Files.writeString(
        folder.resolve("opencode.json"),
        """
        {
          "model": "stand-in/any",
          "small_model": "stand-in/any",
          "permission": "allow",
          "autoupdate": false,
          "share": "disabled",
          "provider": {
            "stand-in": {
              "npm": "@ai-sdk/openai-compatible",
              "name": "stand-in",
              "options": { "baseURL": "%s/v1", "apiKey": "any" },
              "models": { "any": { "name": "any" } }
            }
          }
        }
        """
            .formatted(model));
    // It tries to install a package whenever there is a plugin, and tries again for a minute.
    Files.writeString(home.resolve(".npmrc"), "fetch-retries=0\n");
  }

  @Override
  public Map<String, String> variables(String model) {
    return Map.of("OPENCODE_DISABLE_AUTOUPDATE", "true");
  }

  @Override
  public List<String> start(String prompt) {
    return List.of("run", prompt);
  }

  @Override
  public List<String> resume(String prompt) {
    return List.of("run", "--continue", prompt);
  }

  /// An argument with a space is put into quotation marks before anything else sees it.
  @Override
  public String taken(String prompt) {
    return prompt.contains(" ") ? '"' + prompt.replace("\"", "\\\"") + '"' : prompt;
  }

  @Override
  public Optional<List<String>> fork(String prompt) {
    return Optional.of(List.of("run", "--continue", "--fork", prompt));
  }

  @Override
  public ToolCall shell(String command) {
    return ToolCall.of("bash", "command", command, "description", "Run a command");
  }

  @Override
  public ToolCall search(String query) {
    return ToolCall.of("agent-memory_memory_search", "query", query);
  }

  @Override
  public Optional<ToolCall> subagent(String prompt) {
    return Optional.of(
        ToolCall.of(
            "task", "description", "Look into it", "prompt", prompt, "subagent_type", "general"));
  }
}
