package dev.agentmemory.api.recall;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/// How often a memory was read by search and get. Other reads do not count.
///
/// @param lastAccess empty when it was never read
/// @param count 0 and up
public record MemoryUse(Optional<Instant> lastAccess, long count) {

  public static final MemoryUse NEVER = new MemoryUse(Optional.empty(), 0);

  public MemoryUse {
    lastAccess = lastAccess.map(time -> time.truncatedTo(ChronoUnit.MILLIS));
    if (count < 0) {
      throw new IllegalArgumentException("access count below 0: " + count);
    }
  }

  public MemoryUse plus(Instant time) {
    boolean later = lastAccess.map(time::isAfter).orElse(true);
    return new MemoryUse(later ? Optional.of(time) : lastAccess, count + 1);
  }

  /// The use of two memories that become one.
  public MemoryUse plus(MemoryUse other) {
    Optional<Instant> last =
        lastAccess.isEmpty()
            ? other.lastAccess
            : lastAccess.map(
                time -> other.lastAccess.filter(theirs -> theirs.isAfter(time)).orElse(time));
    return new MemoryUse(last, count + other.count);
  }
}
