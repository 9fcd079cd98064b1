package dev.agentmemory.cli.export;

import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.store.DamagedRange;
import java.time.Instant;
import java.util.List;

/// What the command of this package needs of `memory`.
public interface ExportContext {

  /// A connection for calls in the workspace that the user has named, else the daemon's default.
  ///
  /// @throws dev.agentmemory.types.MemoryException `UNREACHABLE` when there is none
  MemoryClient connect();

  Terminal screen();

  /// The current time.
  Instant now();

  /// Prints the whole output of a command.
  void say(Reply reply);

  /// Rows that the daemon could not read so far. The caller writes them into its own output.
  List<DamagedRange> damaged();
}
