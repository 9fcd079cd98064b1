package dev.agentmemory.cli;

import dev.agentmemory.agents.project.ProjectNames;
import dev.agentmemory.cli.mcp.McpBridge;
import dev.agentmemory.cli.mcp.StartedDaemon;
import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.client.http.HttpExchange.Waiting;
import dev.agentmemory.types.WorkspaceName;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/// The MCP server of an agent that runs a program of its own for it.
@Command(
    name = "mcp",
    description = {
      "Serves MCP on standard input and output, for agents that start a program.",
      "Every message is passed to the daemon, which is started if it is down. The workspace is that"
          + " of the project: CLAUDE_PROJECT_DIR, else the working directory."
    },
    mixinStandardHelpOptions = true)
final class McpCommand implements Callable<Integer> {

  private static final String WORKSPACE = "memory-workspace";
  private static final String PROJECT = "CLAUDE_PROJECT_DIR";

  private final MemoryCommand memory;

  McpCommand(MemoryCommand memory) {
    this.memory = memory;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    serve(new FileInputStream(FileDescriptor.in), new FileOutputStream(FileDescriptor.out));
    return ExitCodes.OK;
  }

  void serve(InputStream in, OutputStream out) throws IOException, InterruptedException {
    WorkspaceName workspace = memory.workspace().orElseGet(this::ofProject);
    var bridge =
        new McpBridge(
            new StartedDaemon(memory.data(), memory.environment()),
            Map.of(WORKSPACE, workspace.value()),
            Waiting.DEFAULT,
            memory.screen()::error);
    bridge.run(in, out);
  }

  private WorkspaceName ofProject() {
    Path directory =
        Optional.ofNullable(memory.environment().get(PROJECT))
            .filter(text -> !text.isBlank())
            .map(Path::of)
            .orElseGet(() -> Path.of(""));
    return ProjectNames.workspaces(memory.data()).of(directory.toAbsolutePath());
  }
}
