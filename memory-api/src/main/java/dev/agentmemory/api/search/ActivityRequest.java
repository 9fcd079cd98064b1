package dev.agentmemory.api.search;

import dev.agentmemory.types.MemoryException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.OptionalInt;

/// Asks for the events of each day of a year.
///
/// @param year [#FIRST_YEAR] to [#LAST_YEAR]; empty for the year in which `now` is
/// @param now the current time
public record ActivityRequest(OptionalInt year, Instant now) {

  public static final int FIRST_YEAR = 1970;

  /// The year of the last timestamp that an event can have.
  public static final int LAST_YEAR = 2286;

  /// @throws MemoryException `INVALID_FIELD` naming `year`
  public ActivityRequest {
    if (year.isPresent() && (year.getAsInt() < FIRST_YEAR || year.getAsInt() > LAST_YEAR)) {
      throw MemoryException.invalid(
          "year",
          "is %d; expected %d to %d, or 0 for the current one"
              .formatted(year.getAsInt(), FIRST_YEAR, LAST_YEAR));
    }
  }

  /// The year that is meant where days begin in a zone.
  public int yearIn(ZoneId zone) {
    return year.orElseGet(() -> now.atZone(zone).getYear());
  }
}
