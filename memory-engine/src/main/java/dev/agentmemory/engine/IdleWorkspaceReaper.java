package dev.agentmemory.engine;

import dev.agentmemory.spi.BackgroundLoop;
import dev.agentmemory.spi.Ticker;
import dev.agentmemory.types.WorkspaceName;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Closes idle workspaces, and opens closed ones when work in them is due.
///
/// A workspace that no call has used for a while is closed once it has no pending work. Work that
/// is due later (a silent session's segment, a day that ends) is recorded in its [StoreNote]. When
/// it is due, or when there is no note because a daemon was killed, the workspace is opened until
/// its jobs are done, and closed again: one at a time, so that they do not evict workspaces in use.
final class IdleWorkspaceReaper implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(IdleWorkspaceReaper.class);
  private static final Duration LONGEST_ROUND = Duration.ofSeconds(15);
  private static final Duration SHORTEST_ROUND = Duration.ofMillis(100);

  /// Work that takes longer continues when the workspace is next opened.
  private static final Duration LONGEST_BACKGROUND_WORK = Duration.ofMinutes(5);

  /// A workspace that was used more recently is not closed for background work in another one.
  private static final Duration QUIET = Duration.ofMinutes(1);

  private final InstantSource clock;
  private final Ticker ticker;
  private final WorkspaceRegistry workspaces;
  private final Duration idle;
  private final BackgroundLoop loop;
  private Optional<WorkspaceHandle> background = Optional.empty();

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
    return background.isPresent() || usual.compareTo(SHORTEST_ROUND) < 0 ? SHORTEST_ROUND : usual;
  }

  /// One round. Waits for nothing: what it decides is done on other threads.
  void sweep() {
    for (WorkspaceHandle handle : workspaces.handles()) {
      if (mayClose(handle)) {
        workspaces.closeIfUnused(handle);
      }
    }
    background = background.filter(handle -> !handle.closed().isDone() && !handle.isCalled());
    if (background.isEmpty()) {
      background = workspaces.due().flatMap(this::openInBackground);
    }
  }

  private Optional<WorkspaceHandle> openInBackground(WorkspaceName name) {
    long now = ticker.nanos();
    LOG.debug("workspace {} has pending work", name);
    return workspaces.openInBackground(name, handle -> now - handle.touched() > QUIET.toNanos());
  }

  private boolean mayClose(WorkspaceHandle handle) {
    if (handle.isLost()) {
      return true;
    }
    if (!handle.isEmpty() || !handle.acquire()) {
      return false;
    }
    try {
      long unused = ticker.nanos() - handle.touched();
      return handle.isCalled()
          ? unused >= idle.toNanos() && isDone(handle)
          : (unused >= LONGEST_BACKGROUND_WORK.toNanos() && !isBackedUp(handle)) || isDone(handle);
    } finally {
      handle.release();
    }
  }

  /// A backup has a time limit of its own; an interrupted one would start from the beginning.
  private static boolean isBackedUp(WorkspaceHandle handle) {
    return handle.workspace().map(OpenWorkspace::isBackedUp).orElse(false);
  }

  /// A workspace with a stopped worker is also closed, because reopening it may help.
  private boolean isDone(WorkspaceHandle handle) {
    OpenWorkspace workspace = handle.workspace().orElseThrow();
    try {
      if (!workspace.stoppages().isEmpty()) {
        return true;
      }
      return !workspace.isWorking()
          && workspace.due().filter(due -> !due.isAfter(clock.instant())).isEmpty();
    } catch (RuntimeException e) {
      LOG.warn("the pending work of workspace {} is unknown", handle.name(), e);
      return true;
    }
  }

  /// Ends the thread.
  @Override
  public void close() {
    loop.close();
  }
}
