package dev.agentmemory.cli.mcp;

import dev.agentmemory.cli.process.DataPlace;
import dev.agentmemory.cli.process.LogPlace;
import dev.agentmemory.cli.process.NamedWorkspace;
import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.cli.terminal.Terminal;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;

/// The main class of `memory mcp --data DIR`, which `memory install` writes into the settings of
/// agents. It loads nothing but the bridge, because an agent waits for its servers before the first
/// prompt. With other arguments the command line does the same.
public final class McpMain {

  private McpMain() {}

  /// Ends the process with the command's exit code.
  ///
  /// @param args `mcp --data DIR`
  public static void main(String[] args) {
    System.exit(run(args[2], System.getenv()));
  }

  private static int run(String directory, Map<String, String> environment) {
    Terminal screen = Terminal.ofProcess(environment);
    Path data;
    try {
      data = Path.of(directory).toAbsolutePath().normalize();
    } catch (InvalidPathException e) {
      screen.error("--data: " + e.getMessage() + "; give the path of a directory");
      return ExitCodes.USAGE;
    }
    try {
      new ProjectBridge(DataPlace.directory(data), environment, screen::error)
          .run(
              NamedWorkspace.of(environment),
              new FileInputStream(FileDescriptor.in),
              new FileOutputStream(FileDescriptor.out));
      return ExitCodes.OK;
    } catch (IOException | InterruptedException | RuntimeException | Error e) {
      return ExitCodes.tell(e, screen, () -> LogPlace.file(data));
    }
  }
}
