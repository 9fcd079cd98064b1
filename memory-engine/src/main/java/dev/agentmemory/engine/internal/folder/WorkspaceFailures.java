package dev.agentmemory.engine.internal.folder;

import dev.agentmemory.spi.Ticker;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Why workspaces could not be opened. For a moment a failure is answered from memory, so that a
/// busy client of a broken workspace does not keep the disk busy for all others.
public final class WorkspaceFailures {

  private static final Duration MOMENT = Duration.ofSeconds(2);

  /// Callers choose the names; these must not fill the memory.
  private static final int MOST = 1000;

  private final Ticker ticker;
  private final Map<WorkspaceName, Failure> failures = new ConcurrentHashMap<>();

  private record Failure(MemoryException why, long nanos) {}

  public WorkspaceFailures(Ticker ticker) {
    this.ticker = ticker;
  }

  /// Keeps why a workspace could not be opened, in words for its callers.
  public MemoryException remember(WorkspaceName name, Throwable cause) {
    return remember(name, "workspace " + name, cause);
  }

  /// The same for a store that is not one workspace's.
  ///
  /// @param what the store in words
  public MemoryException remember(WorkspaceName name, String what, Throwable cause) {
    MemoryException why = told(what, cause);
    if (failures.size() >= MOST) {
      failures.clear();
    }
    failures.put(name, new Failure(why, ticker.nanos()));
    return why;
  }

  public void forget(WorkspaceName name) {
    failures.remove(name);
  }

  /// The failure of a moment ago.
  public Optional<MemoryException> recent(WorkspaceName name) {
    return Optional.ofNullable(failures.get(name))
        .filter(failure -> ticker.nanos() - failure.nanos() < MOMENT.toNanos())
        .map(Failure::why);
  }

  /// Why the last try to open it failed; empty when it did not.
  public Optional<String> last(WorkspaceName name) {
    return Optional.ofNullable(failures.get(name))
        .map(failure -> String.valueOf(failure.why().getMessage()));
  }

  /// Those that could not be opened.
  public Set<WorkspaceName> names() {
    return Set.copyOf(failures.keySet());
  }

  private static MemoryException told(String what, Throwable cause) {
    String below = cause.getCause() == null ? "" : " (" + cause.getCause().getMessage() + ")";
    return new MemoryException(
        code(cause), what + " cannot be opened: " + cause.getMessage() + below, cause);
  }

  private static ErrorCode code(Throwable cause) {
    if (!(cause instanceof MemoryException known)) {
      return ErrorCode.WORKSPACE_UNUSABLE;
    }
    return switch (known.code().kind()) {
      case CONFLICT -> known.code();
      case CORRUPT -> ErrorCode.STORE_DAMAGED;
      case CALLER, MISSING, BUSY, UNAVAILABLE, BUG -> ErrorCode.WORKSPACE_UNUSABLE;
    };
  }
}
