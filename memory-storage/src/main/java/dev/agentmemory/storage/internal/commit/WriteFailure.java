package dev.agentmemory.storage.internal.commit;

import dev.agentmemory.types.MemoryException;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/// Why the store cannot write, and when to try to reopen it. Used by the thread that writes only,
/// once it is set.
final class WriteFailure {

  private static final long FIRST_WAIT_MILLIS = 1000;
  private static final long LONGEST_WAIT_MILLIS = 60_000;

  private final MemoryException why;
  private final Kind kind;
  private long wait = FIRST_WAIT_MILLIS;
  private long since;

  /// The cause.
  enum Kind {
    /// The disk is full.
    SPACE,
    /// The engine cannot read a file that it compacts.
    DAMAGE,
    /// The disk or the engine refused for another reason.
    REFUSAL;

    static Kind of(Throwable cause) {
      if (!(cause instanceof RocksDBException engine) || engine.getStatus() == null) {
        return REFUSAL;
      }
      Status status = engine.getStatus();
      if (status.getSubCode() == Status.SubCode.NoSpace) {
        return SPACE;
      }
      return status.getCode() == Status.Code.Corruption ? DAMAGE : REFUSAL;
    }
  }

  WriteFailure(Kind kind, MemoryException why, long nowMillis) {
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

  Kind kind() {
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
