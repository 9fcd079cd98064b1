package dev.agentmemory.api.standing;

import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// Which memories somebody looks at.
///
/// @param memories at most [#MOST]
/// @param asOf when; empty: now. Reads after that time do not count
public record StandingQuery(List<MemoryId> memories, Optional<Instant> asOf) {

  /// Most memories of a call.
  public static final int MOST = 1000;

  /// @throws MemoryException `INVALID_FIELD` naming `memory_ids`
  public StandingQuery {
    memories = List.copyOf(memories);
    Objects.requireNonNull(asOf, "asOf");
    if (memories.size() > MOST) {
      throw MemoryException.invalid(
          "memory_ids", "has %d ids; expected at most %d".formatted(memories.size(), MOST));
    }
  }
}
