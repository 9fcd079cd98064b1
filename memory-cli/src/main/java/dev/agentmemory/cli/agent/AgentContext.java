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

  /// A connection to the daemon of the data directory.
  ///
  /// @throws dev.agentmemory.types.MemoryException `UNREACHABLE` when there is none
  MemoryClient connect();

  /// The workspace that the command line or the environment names.
  default Optional<WorkspaceName> workspace() {
    return Optional.empty();
  }

  /// A connection for calls in a workspace; without one, in the daemon's default.
  ///
  /// @throws dev.agentmemory.types.MemoryException `UNREACHABLE` when there is no daemon
  default MemoryClient connect(Optional<WorkspaceName> workspace) {
    return connect();
  }
}
