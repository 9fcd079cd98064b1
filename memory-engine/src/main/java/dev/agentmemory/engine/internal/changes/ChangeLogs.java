package dev.agentmemory.engine.internal.changes;

import dev.agentmemory.spi.Mutex;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/// The change logs of workspaces, each for as long as the workspace is open or somebody follows it.
/// Who follows a workspace does not keep it open.
public final class ChangeLogs {

  private final RandomGenerator random;
  private final Mutex lock = new Mutex();
  private final Map<String, Used> logs = new HashMap<>();

  /// A log and how many use it.
  private record Used(ChangeLog log, int users) {}

  /// @param random names the logs
  public ChangeLogs(RandomGenerator random) {
    this.random = random;
  }

  /// The log of a workspace that was opened, or is followed from now on.
  public UsedLog use(String workspace) {
    try (var _ = lock.hold()) {
      Used used =
          logs.merge(
              workspace,
              new Used(new ChangeLog(Long.toHexString(random.nextLong())), 1),
              (before, _) -> new Used(before.log, before.users + 1));
      return new UsedLog(used.log, () -> release(workspace));
    }
  }

  private void release(String workspace) {
    try (var _ = lock.hold()) {
      logs.computeIfPresent(
          workspace, (_, used) -> used.users == 1 ? null : new Used(used.log, used.users - 1));
    }
  }
}
