package dev.agentmemory.engine;

import dev.agentmemory.spi.BackgroundLoop;
import dev.agentmemory.spi.Ticker;
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
final class IdleWorkspaceReaper implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(IdleWorkspaceReaper.class);
  private static final Duration LONGEST_ROUND = Duration.ofSeconds(15);
  private static final Duration SHORTEST_ROUND = Duration.ofMillis(100);

  /// Work that takes longer than that gets on with the next visit.
  private static final Duration LONGEST_VISIT = Duration.ofMinutes(5);

  /// A workspace that was used more recently is not closed for a visit to another one.
  private static final Duration QUIET = Duration.ofMinutes(1);

  private final InstantSource clock;
  private final Ticker ticker;
  private final WorkspaceRegistry workspaces;
  private final Duration idle;
  private final BackgroundLoop loop;
  private Optional<WorkspaceHandle> visited = Optional.empty();

  /// @param idle how long no call has used a workspace that is closed
  IdleWorkspaceReaper(
      InstantSource clock, Ticker ticker, WorkspaceRegistry workspaces, Duration idle) {
    this.clock = clock;
    this.ticker = ticker;
    this.workspaces = workspaces;
    this.idle = idle;
    this.loop = new BackgroundLoop("memory-idle-reaper", round(), this::sweepAndWait);
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
    for (WorkspaceHandle handle : workspaces.handles()) {
      if (mayGo(handle)) {
        workspaces.letGo(handle);
      }
    }
    visited = visited.filter(handle -> !handle.gone().isDone() && !handle.isCalled());
    if (visited.isEmpty()) {
      visited = workspaces.due().flatMap(this::visit);
    }
  }

  private Optional<WorkspaceHandle> visit(WorkspaceName name) {
    long now = ticker.nanos();
    LOG.debug("workspace {} has work left", name);
    return workspaces.visit(name, handle -> now - handle.touched() > QUIET.toNanos());
  }

  private boolean mayGo(WorkspaceHandle handle) {
    if (!handle.isEmpty() || !handle.enter()) {
      return false;
    }
    try {
      long unused = ticker.nanos() - handle.touched();
      return handle.isCalled()
          ? unused >= idle.toNanos() && isDone(handle)
          : (unused >= LONGEST_VISIT.toNanos() && !isBackedUp(handle)) || isDone(handle);
    } finally {
      handle.exit();
    }
  }

  /// A backup has a time limit of its own, and one that is cut short would begin anew each time.
  private static boolean isBackedUp(WorkspaceHandle handle) {
    return handle.workspace().map(OpenWorkspace::isBackedUp).orElse(false);
  }

  /// Where something has stopped working, waiting does not help: opened anew it may work again.
  private boolean isDone(WorkspaceHandle handle) {
    OpenWorkspace workspace = handle.workspace().orElseThrow();
    try {
      if (!workspace.stoppages().isEmpty()) {
        return true;
      }
      return !workspace.isWorking()
          && workspace.due().filter(due -> !due.isAfter(clock.instant())).isEmpty();
    } catch (RuntimeException e) {
      LOG.warn("workspace {} does not say what is left to do", handle.name(), e);
      return true;
    }
  }

  /// Ends the thread.
  @Override
  public void close() {
    loop.close();
  }
}
