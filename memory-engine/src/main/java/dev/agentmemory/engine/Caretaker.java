package dev.agentmemory.engine;

import dev.agentmemory.pipeline.BackgroundLoop;
import dev.agentmemory.pipeline.Ticker;
import dev.agentmemory.types.WorkspaceName;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Closes workspaces that nobody needs, and sees to the work of those that are closed.
///
/// A workspace that no call has used for a while is closed once nothing is left to do in it. What
/// will be to do later (a silent session's segment, a day that ends) is on its [WorkspaceNote], so
/// it costs nothing until then. When it is due, or when there is no note because a daemon was
/// killed, the workspace is opened, left alone until its jobs are done, and closed again: one at a
/// time, so that they never push out those that are in use.
final class Caretaker implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Caretaker.class);
  private static final Duration LONGEST_ROUND = Duration.ofSeconds(15);
  private static final Duration SHORTEST_ROUND = Duration.ofMillis(100);

  /// Work that takes longer than that gets on with the next visit.
  private static final Duration LONGEST_VISIT = Duration.ofMinutes(5);

  /// A workspace that was used more recently is not closed for a visit to another one.
  private static final Duration QUIET = Duration.ofMinutes(1);

  private final InstantSource clock;
  private final Ticker ticker;
  private final Workspaces workspaces;
  private final Duration idle;
  private final BackgroundLoop loop;
  private Optional<Room> visited = Optional.empty();

  /// @param idle how long no call has used a workspace that is closed
  Caretaker(InstantSource clock, Ticker ticker, Workspaces workspaces, Duration idle) {
    this.clock = clock;
    this.ticker = ticker;
    this.workspaces = workspaces;
    this.idle = idle;
    this.loop = new BackgroundLoop("memory-caretaker", round(), this::sweepAndWait);
  }

  void start() {
    loop.start();
  }

  private Duration sweepAndWait() {
    sweep();
    return round();
  }

  private Duration round() {
    Duration quarter = idle.dividedBy(4);
    Duration usual = quarter.compareTo(LONGEST_ROUND) < 0 ? quarter : LONGEST_ROUND;
    return visited.isPresent() || usual.compareTo(SHORTEST_ROUND) < 0 ? SHORTEST_ROUND : usual;
  }

  /// One round. Waits for nothing: what it decides is done on other threads.
  void sweep() {
    for (Room room : workspaces.rooms()) {
      if (mayGo(room)) {
        workspaces.letGo(room);
      }
    }
    visited = visited.filter(room -> !room.gone().isDone() && !room.isCalled());
    if (visited.isEmpty()) {
      visited = workspaces.due().flatMap(this::visit);
    }
  }

  private Optional<Room> visit(WorkspaceName name) {
    long now = ticker.nanos();
    LOG.debug("workspace {} has work left", name);
    return workspaces.visit(name, room -> now - room.touched() > QUIET.toNanos());
  }

  private boolean mayGo(Room room) {
    if (!room.isEmpty() || !room.enter()) {
      return false;
    }
    try {
      long unused = ticker.nanos() - room.touched();
      return room.isCalled()
          ? unused >= idle.toNanos() && isDone(room)
          : (unused >= LONGEST_VISIT.toNanos() && !isBackedUp(room)) || isDone(room);
    } finally {
      room.exit();
    }
  }

  /// A backup has a time limit of its own, and one that is cut short would begin anew each time.
  private static boolean isBackedUp(Room room) {
    return room.workspace().map(OpenWorkspace::isBackedUp).orElse(false);
  }

  /// Where something has stopped working, waiting does not help: opened anew it may work again.
  private boolean isDone(Room room) {
    OpenWorkspace workspace = room.workspace().orElseThrow();
    try {
      if (!workspace.stoppages().isEmpty()) {
        return true;
      }
      return !workspace.isWorking()
          && workspace.due().filter(due -> !due.isAfter(clock.instant())).isEmpty();
    } catch (RuntimeException e) {
      LOG.warn("workspace {} does not say what is left to do", room.name(), e);
      return true;
    }
  }

  /// Ends the thread.
  @Override
  public void close() {
    loop.close();
  }
}
