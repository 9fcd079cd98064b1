package dev.agentmemory.cli;

import dev.agentmemory.cli.mcp.ProjectBridge;
import dev.agentmemory.cli.terminal.ExitCodes;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/// The MCP server of an agent that runs a program of its own for it. As agents run it, `McpMain`
/// does the same.
@Command(
    name = "mcp",
    description = {
      "Serves MCP on standard input and output, for agents that start a program.",
      "Every message is passed to the daemon, which is started if it is down. The workspace is that"
          + " of the project: CLAUDE_PROJECT_DIR, else the working directory."
    },
    mixinStandardHelpOptions = true)
final class McpCommand implements Callable<Integer> {

  private final MemoryCommand memory;

  McpCommand(MemoryCommand memory) {
    this.memory = memory;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    new ProjectBridge(memory.data(), memory.environment(), memory.screen()::error)
        .run(
            memory.workspace(),
            new FileInputStream(FileDescriptor.in),
            new FileOutputStream(FileDescriptor.out));
    return ExitCodes.OK;
  }
}
