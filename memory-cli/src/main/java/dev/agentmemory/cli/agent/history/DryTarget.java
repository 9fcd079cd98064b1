package dev.agentmemory.cli.agent.history;

import dev.agentmemory.types.Event;
import dev.agentmemory.types.WorkspaceName;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Stores nothing.
public final class DryTarget implements ImportTarget {

  private final Function<Optional<Path>, Optional<WorkspaceName>> workspaces;

  /// @param workspaces the workspace of a directory; empty is the daemon's default
  public DryTarget(Function<Optional<Path>, Optional<WorkspaceName>> workspaces) {
    this.workspaces = workspaces;
  }

  @Override
  public Optional<WorkspaceName> workspace(Optional<Path> directory) {
    return workspaces.apply(directory);
  }

  @Override
  public void send(Optional<Path> directory, List<Event> events) {}

  @Override
  public void await() {}

  @Override
  public long stored() {
    return 0;
  }

  @Override
  public long known() {
    return 0;
  }

  @Override
  public long refused() {
    return 0;
  }

  @Override
  public void close() {}
}
