package dev.agentmemory.cli.agent.history;

import dev.agentmemory.types.Event;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Stores nothing.
public final class DryTarget implements ImportTarget {

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
