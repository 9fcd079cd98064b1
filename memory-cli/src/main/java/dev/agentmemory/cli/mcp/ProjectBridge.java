package dev.agentmemory.cli.mcp;

import dev.agentmemory.agents.project.ProjectNames;
import dev.agentmemory.client.http.HttpExchange.Waiting;
import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// The bridge of a process that an agent has started in a project.
///
/// @param data the data directory of the daemon
/// @param environment of the process, and of a daemon that it starts
/// @param log takes a sentence for a person, who may never look
public record ProjectBridge(Path data, Map<String, String> environment, Consumer<String> log) {

  private static final String WORKSPACE = "memory-workspace";
  private static final String PROJECT = "CLAUDE_PROJECT_DIR";

  /// Runs until the input ends or the output is closed.
  ///
  /// @param named the workspace; empty for that of the project
  public void run(Optional<WorkspaceName> named, InputStream in, OutputStream out)
      throws IOException, InterruptedException {
    WorkspaceName workspace = named.orElseGet(this::ofProject);
    new McpBridge(
            new StartedDaemon(data, environment),
            Map.of(WORKSPACE, workspace.value()),
            Waiting.DEFAULT,
            log)
        .run(in, out);
  }

  private WorkspaceName ofProject() {
    Path directory =
        Optional.ofNullable(environment.get(PROJECT))
            .filter(text -> !text.isBlank())
            .map(Path::of)
            .orElseGet(() -> Path.of(""));
    return ProjectNames.workspaces(data).of(directory.toAbsolutePath());
  }
}
