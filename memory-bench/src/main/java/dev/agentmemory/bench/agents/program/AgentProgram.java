package dev.agentmemory.bench.agents.program;

import dev.agentmemory.bench.agents.model.ToolCall;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// How the program of an agent is set up for a stand-in of its model, and started. Arguments are
/// those after the program's name. What it cannot do without a person at a terminal is absent.
public interface AgentProgram {

  /// The name that `memory install` takes.
  String id();

  /// The name of the executable.
  String command();

  /// Writes the settings that a user would have before our installation.
  ///
  /// @param model the address of the stand-in
  void prepare(Path home, String model) throws IOException;

  /// Variables of its process.
  Map<String, String> variables(String model);

  /// A new session.
  List<String> start(String prompt);

  /// The last session goes on.
  List<String> resume(String prompt);

  /// What the program takes for the prompt when it is started with one.
  default String taken(String prompt) {
    return prompt;
  }

  /// What the program writes to the model for a context that a hook answered.
  default String given(String context) {
    return context;
  }

  /// A new session that begins with the last one.
  default Optional<List<String>> fork(String prompt) {
    return Optional.empty();
  }

  /// The last session is compacted.
  default Optional<List<String>> compact() {
    return Optional.empty();
  }

  /// The last session is left for an empty one.
  default Optional<List<String>> clear() {
    return Optional.empty();
  }

  ToolCall shell(String command);

  /// The call of our MCP server.
  ToolCall search(String query);

  default Optional<ToolCall> subagent(String prompt) {
    return Optional.empty();
  }
}
