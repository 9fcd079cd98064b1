package dev.agentmemory.storage.upkeep;

import dev.agentmemory.storage.codec.Counters;
import dev.agentmemory.store.Commit;
import dev.agentmemory.types.MemoryException;
import java.util.Optional;

/// What an engine does beside the rows of a store that is open: it watches the space that writes
/// need, records how far the store is durable, and opens the rows again after a failure. The thread
/// that writes calls [#look], [#written], [#hasSpace] and [#reopen], one thread closes, and any
/// thread may call the others.
public interface StoreUpkeep {

  /// Decides, on the thread of the caller, whether a commit may be written.
  ///
  /// @throws MemoryException `DISK_FULL` when there is not enough space for it
  default void check(Commit commit) {
    // An engine may leave it to a write to fail.
  }

  /// Why commits of some kinds are refused, with the remedy; empty while all are accepted.
  default Optional<String> problem() {
    return Optional.empty();
  }

  /// Does periodic work. Called at least every half second.
  ///
  /// @param acknowledged how far the store is durable
  default void look(long nowMillis, Counters acknowledged) {
    // Not every engine has such work.
  }

  /// Whether periodic work has to be done before the next write.
  default boolean isLookDue(long nowMillis) {
    return false;
  }

  /// Is told of bytes that were written.
  default void written(long bytes) {
    // Only of use to an engine that watches the space.
  }

  /// Whether the rows can be opened again after the space was exhausted; true where only a write
  /// shows.
  default boolean hasSpace() {
    return true;
  }

  /// The exception for a commit that failed because the space was exhausted.
  MemoryException full(Throwable cause);

  /// Opens the rows again after a failed write: the only way to find out what was written. Returns
  /// when everything that was written is in the tables, and durable, and nobody else writes.
  ///
  /// @param failure why the rows have to be opened again
  /// @param acknowledged how far the store had acknowledged; the rows must contain that
  /// @throws MemoryException when the engine still refuses, `STORE_DAMAGED` when an acknowledged
  ///   change is missing
  void reopen(Failure failure, Counters acknowledged);

  /// Makes a long operation of the engine return early, because the store closes.
  default void stop() {
    // Not every engine has such an operation.
  }

  /// Closes the rows, when nobody reads them, and what belongs to them.
  ///
  /// @param acknowledged how far the store is durable
  void close(Counters acknowledged);

  /// Why a write failed.
  enum Failure {
    /// The space is exhausted.
    SPACE,
    /// The engine cannot read rows that it rewrites.
    DAMAGE,
    /// Another process has taken the store over. It is not opened again.
    TAKEN_OVER,
    /// The engine refused for another reason.
    REFUSAL;

    /// What the exception of a failed write says.
    public static Failure of(MemoryException refused) {
      return switch (refused.code()) {
        case DISK_FULL -> SPACE;
        case CORRUPT_RECORD -> DAMAGE;
        case NOT_OWNER -> TAKEN_OVER;
        default -> REFUSAL;
      };
    }
  }
}
