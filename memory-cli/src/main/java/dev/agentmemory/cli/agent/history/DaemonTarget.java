package dev.agentmemory.cli.agent.history;

import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.WorkspaceName;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/// Sends events to the daemon, those of each project to its workspace.
public final class DaemonTarget implements ImportTarget {

  /// Characters of events that may be collected for all workspaces before they are sent. As many
  /// may wait for their turn or be on their way to the daemon.
  static final int MOST_COLLECTED = 8 << 20;

  private final Function<Optional<Path>, Optional<WorkspaceName>> workspaces;
  private final Function<Optional<WorkspaceName>, ImportConnection> connect;
  private final Map<Optional<WorkspaceName>, ImportConnection> connections = new HashMap<>();
  private final Map<Optional<WorkspaceName>, ImportSender> senders = new HashMap<>();
  private final Semaphore room = new Semaphore(MOST_COLLECTED);
  private final AtomicLong stored = new AtomicLong();
  private final AtomicLong known = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private long collected;

  DaemonTarget(
      Function<Optional<Path>, Optional<WorkspaceName>> workspaces,
      Function<Optional<WorkspaceName>, ImportConnection> connect) {
    this.workspaces = workspaces;
    this.connect = connect;
  }

  /// @param workspaces the workspace of a directory; empty is the daemon's default
  public static DaemonTarget of(
      Function<Optional<Path>, Optional<WorkspaceName>> workspaces,
      Function<Optional<WorkspaceName>, MemoryClient> connect) {
    return new DaemonTarget(workspaces, connect.andThen(ImportConnection::of));
  }

  @Override
  public Optional<WorkspaceName> workspace(Optional<Path> directory) {
    return workspaces.apply(directory);
  }

  @Override
  public void send(Optional<Path> directory, List<Event> events) {
    senders.computeIfAbsent(workspace(directory), this::sender).send(events);
    collected += events.stream().mapToLong(ImportSender::size).sum();
    if (collected > MOST_COLLECTED) {
      senders.values().forEach(ImportSender::flush);
      collected = 0;
    }
  }

  private ImportSender sender(Optional<WorkspaceName> workspace) {
    return new ImportSender(connections.computeIfAbsent(workspace, connect), room, this::answered);
  }

  /// A turn that a hook brought first has the hook's time, so the store sees another content: it is
  /// known all the same.
  private void answered(Receipt receipt) {
    switch (receipt) {
      case Receipt.Created _ -> stored.incrementAndGet();
      case Receipt.AlreadyKnown _, Receipt.Conflict _, Receipt.Erased _ -> known.incrementAndGet();
      case Receipt.Refused _ -> refused.incrementAndGet();
    }
  }

  @Override
  public void await() {
    senders.values().forEach(ImportSender::flush);
    senders.values().forEach(ImportSender::finish);
    senders.clear();
    collected = 0;
  }

  @Override
  public long stored() {
    return stored.get();
  }

  @Override
  public long known() {
    return known.get();
  }

  @Override
  public long refused() {
    return refused.get();
  }

  @Override
  public void close() {
    senders.clear();
    connections.values().forEach(ImportConnection::close);
  }
}
