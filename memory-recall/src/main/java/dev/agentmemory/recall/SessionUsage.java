package dev.agentmemory.recall;

import dev.agentmemory.api.recall.MemoryKind;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/// The memories that come from a session.
///
/// @param kinds how many there are, by kind; kinds without any are absent
/// @param bytes what they take
/// @param firstCreated when the oldest was made; empty if there is none
/// @param lastCreated when the newest was made; empty if there is none
/// @param lastAccess when one of them was last read; empty if never
public record SessionUsage(
    Map<MemoryKind, Long> kinds,
    long bytes,
    Optional<Instant> firstCreated,
    Optional<Instant> lastCreated,
    Optional<Instant> lastAccess) {

  /// A session without memories.
  public static final SessionUsage NONE =
      new SessionUsage(Map.of(), 0, Optional.empty(), Optional.empty(), Optional.empty());

  public SessionUsage {
    kinds = Map.copyOf(kinds);
  }

  /// How many memories there are.
  public long count() {
    return kinds.values().stream().mapToLong(Long::longValue).sum();
  }
}
