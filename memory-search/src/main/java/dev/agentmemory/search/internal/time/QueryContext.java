package dev.agentmemory.search.internal.time;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/// Time and zone of a query. Days are those of the zone, also when its clocks change.
record QueryContext(ZoneId zone, Instant now) {

  private static final LocalTime DAWN = LocalTime.of(5, 0);
  private static final LocalTime NOON = LocalTime.NOON;
  private static final LocalTime DUSK = LocalTime.of(18, 0);
  private static final LocalTime SMALL_HOURS = LocalTime.of(6, 0);

  QueryContext {
    now = now.truncatedTo(ChronoUnit.MILLIS);
  }

  LocalDate today() {
    return LocalDate.ofInstant(now, zone);
  }

  LocalDate date(Instant time) {
    return LocalDate.ofInstant(time, zone);
  }

  Instant start(LocalDate day) {
    return day.atStartOfDay(zone).toInstant();
  }

  /// @param until not included
  TimeRange days(LocalDate from, LocalDate until, TimeRange.Kind kind) {
    return new TimeRange(start(from), start(until), kind);
  }

  TimeRange day(LocalDate day, TimeRange.Kind kind) {
    return days(day, day.plusDays(1), kind);
  }

  /// A part of a day: morning, afternoon, evening or night, which reaches into the next day.
  Optional<TimeRange> part(LocalDate day, String name, TimeRange.Kind kind) {
    return switch (name) {
      case "morning" -> Optional.of(between(day, DAWN, day, NOON, kind));
      case "afternoon" -> Optional.of(between(day, NOON, day, DUSK, kind));
      case "evening" -> Optional.of(between(day, DUSK, day.plusDays(1), LocalTime.MIN, kind));
      case "night" -> Optional.of(between(day, DUSK, day.plusDays(1), SMALL_HOURS, kind));
      default -> Optional.empty();
    };
  }

  private TimeRange between(
      LocalDate day, LocalTime from, LocalDate last, LocalTime until, TimeRange.Kind kind) {
    return new TimeRange(
        day.atTime(from).atZone(zone).toInstant(),
        last.atTime(until).atZone(zone).toInstant(),
        kind);
  }
}
