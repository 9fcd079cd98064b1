package dev.agentmemory.daemon;

import dev.agentmemory.pipeline.Ticker;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Why workspaces could not be opened. For a moment a failure is answered from memory, so that a
/// busy client of a broken workspace does not keep the disk busy for all others.
final class WorkspaceFailures {

  private static final Duration MOMENT = Duration.ofSeconds(2);

  /// Callers choose the names; these must not fill the memory.
  private static final int MOST = 1000;

  private final Ticker ticker;
  private final Map<WorkspaceName, Failure> failures = new ConcurrentHashMap<>();

  private record Failure(MemoryException why, long nanos) {}

  WorkspaceFailures(Ticker ticker) {
    this.ticker = ticker;
  }

  /// Keeps why a workspace could not be opened, in words for its callers.
  MemoryException remember(WorkspaceName name, Throwable cause) {
    MemoryException why = told(name, cause);
    if (failures.size() >= MOST) {
      failures.clear();
    }
    failures.put(name, new Failure(why, ticker.nanos()));
    return why;
  }

  void forget(WorkspaceName name) {
    failures.remove(name);
  }

  /// The failure of a moment ago.
  Optional<MemoryException> recent(WorkspaceName name) {
    return Optional.ofNullable(failures.get(name))
        .filter(failure -> ticker.nanos() - failure.nanos() < MOMENT.toNanos())
        .map(Failure::why);
  }

  /// Why the last try to open it failed; empty when it did not.
  Optional<String> last(WorkspaceName name) {
    return Optional.ofNullable(failures.get(name))
        .map(failure -> String.valueOf(failure.why().getMessage()));
  }

  /// Whether a caller learns more from the code than that the workspace cannot be used.
  private static boolean isTelling(ErrorCode code) {
    return code.kind() == ErrorCode.Kind.CONFLICT || code == ErrorCode.STORE_DAMAGED;
  }

  private static MemoryException told(WorkspaceName name, Throwable cause) {
    ErrorCode code =
        cause instanceof MemoryException known && isTelling(known.code())
            ? known.code()
            : ErrorCode.WORKSPACE_UNUSABLE;
    String below = cause.getCause() == null ? "" : " (" + cause.getCause().getMessage() + ")";
    return new MemoryException(
        code, "workspace " + name + " cannot be opened: " + cause.getMessage() + below, cause);
  }
}
