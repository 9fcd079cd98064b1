package dev.agentmemory.storage.internal.commit;

import dev.agentmemory.storage.upkeep.StoreUpkeep;
import dev.agentmemory.types.MemoryException;

/// Why the store cannot write, and when to try to reopen it. Used by the thread that writes only,
/// once it is set.
final class WriteFailure {

  private static final long FIRST_WAIT_MILLIS = 1000;
  private static final long LONGEST_WAIT_MILLIS = 60_000;

  private final MemoryException why;
  private final StoreUpkeep.Failure kind;
  private long wait = FIRST_WAIT_MILLIS;
  private long since;

  WriteFailure(StoreUpkeep.Failure kind, MemoryException why, long nowMillis) {
    this.kind = kind;
    this.why = why;
    this.since = nowMillis;
  }

  /// The same failure with another reason.
  WriteFailure because(MemoryException reason) {
    var changed = new WriteFailure(kind, reason, since);
    changed.wait = wait;
    return changed;
  }

  MemoryException why() {
    return why;
  }

  StoreUpkeep.Failure kind() {
    return kind;
  }

  /// Whether the next attempt is due. A clock that was set back must not delay it.
  boolean isDue(long nowMillis) {
    return nowMillis < since || nowMillis - since >= wait;
  }

  /// The attempt failed; schedules the next one.
  void later(long nowMillis) {
    since = nowMillis;
    wait = Math.min(2 * wait, LONGEST_WAIT_MILLIS);
  }
}
