package dev.agentmemory.api.recall;

import dev.agentmemory.types.MemoryId;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/// When a memory was made and how long it was true.
///
/// @param created when it was made; of an extracted one, the time of its evidence
/// @param updated when it was last changed; `created` if never
/// @param validFrom when it became true
/// @param supersededAt when a later memory replaced it; empty while it is current
/// @param supersededBy the memory that replaced it
public record Validity(
    Instant created,
    Instant updated,
    Instant validFrom,
    Optional<Instant> supersededAt,
    Optional<MemoryId> supersededBy) {

  /// Times are whole milliseconds.
  ///
  /// @throws IllegalArgumentException when only one of the two last ones is there
  public Validity {
    if (supersededAt.isPresent() != supersededBy.isPresent()) {
      throw new IllegalArgumentException("a replaced memory has a time and a successor");
    }
    created = created.truncatedTo(ChronoUnit.MILLIS);
    updated = shared(updated.truncatedTo(ChronoUnit.MILLIS), created);
    validFrom = shared(validFrom.truncatedTo(ChronoUnit.MILLIS), created);
    supersededAt = supersededAt.map(time -> time.truncatedTo(ChronoUnit.MILLIS));
  }

  /// Of two equal times one object is kept: there is one of this of each memory.
  private static Instant shared(Instant time, Instant known) {
    return time.equals(known) ? known : time;
  }

  /// Of a memory that became true when it was made.
  public static Validity since(Instant created) {
    return new Validity(created, created, created, Optional.empty(), Optional.empty());
  }

  public Validity updatedAt(Instant time) {
    return new Validity(created, time, validFrom, supersededAt, supersededBy);
  }

  public Validity superseded(Instant time, MemoryId by) {
    return new Validity(created, updated, validFrom, Optional.of(time), Optional.of(by));
  }

  public Validity current() {
    return new Validity(created, updated, validFrom, Optional.empty(), Optional.empty());
  }

  /// Whether it was true at a time.
  public boolean holdsAt(Instant time) {
    return !validFrom.isAfter(time) && supersededAt.map(end -> end.isAfter(time)).orElse(true);
  }
}
