package dev.agentmemory.cli.agent.history;

import dev.agentmemory.types.Event;
import dev.agentmemory.types.WorkspaceName;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Where imported events go.
public interface ImportTarget extends AutoCloseable {

  /// The workspace of a directory; empty for the daemon's default.
  Optional<WorkspaceName> workspace(Optional<Path> directory);

  /// Sends events of a session, in order.
  ///
  /// @param directory the session's working directory, which decides on the workspace
  void send(Optional<Path> directory, List<Event> events);

  /// Waits until all events that were sent are answered.
  void await();

  /// Events that are new.
  long stored();

  /// Events that were stored before.
  long known();

  /// Events that the daemon refused.
  long refused();

  @Override
  void close();
}
