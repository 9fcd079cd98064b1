package dev.agentmemory.cli.agent;

import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.types.WorkspaceName;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/// What the commands of this package need of `memory`.
public interface AgentContext {

  /// The data directory, absolute.
  Path data();

  Map<String, String> environment();

  SystemServices system();

  Terminal screen();

  /// The standard input.
  InputStream input();

  /// Prints the whole output of a command.
  void say(Reply reply);

  /// Prints one of several outputs; in JSON, each on one line.
  void sayOneOfMany(Reply reply);

  /// The workspace that the user has named; empty for none.
  Optional<WorkspaceName> workspace();

  /// A connection to the daemon of the data directory.
  ///
  /// @param workspace of the calls; empty for the daemon's default
  /// @throws dev.agentmemory.types.MemoryException `UNREACHABLE` when there is none
  MemoryClient connect(Optional<WorkspaceName> workspace);

  /// A connection for calls in the workspace that the user has named, else the daemon's default.
  ///
  /// @throws dev.agentmemory.types.MemoryException `UNREACHABLE` when there is none
  default MemoryClient connect() {
    return connect(workspace());
  }
}
