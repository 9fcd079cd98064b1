package dev.agentmemory.search;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/// Where and when somebody asks. Days are those of the zone, whatever its clocks do on them.
record Asker(ZoneId zone, Instant now) {

  private static final LocalTime DAWN = LocalTime.of(5, 0);
  private static final LocalTime NOON = LocalTime.NOON;
  private static final LocalTime DUSK = LocalTime.of(18, 0);
  private static final LocalTime SMALL_HOURS = LocalTime.of(6, 0);

  Asker {
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
  Stretch days(LocalDate from, LocalDate until, Stretch.Kind kind) {
    return new Stretch(start(from), start(until), kind);
  }

  Stretch day(LocalDate day, Stretch.Kind kind) {
    return days(day, day.plusDays(1), kind);
  }

  /// A part of a day: morning, afternoon, evening or night, which reaches into the next day.
  Optional<Stretch> part(LocalDate day, String name, Stretch.Kind kind) {
    return switch (name) {
      case "morning" -> Optional.of(between(day, DAWN, day, NOON, kind));
      case "afternoon" -> Optional.of(between(day, NOON, day, DUSK, kind));
      case "evening" -> Optional.of(between(day, DUSK, day.plusDays(1), LocalTime.MIN, kind));
      case "night" -> Optional.of(between(day, DUSK, day.plusDays(1), SMALL_HOURS, kind));
      default -> Optional.empty();
    };
  }

  private Stretch between(
      LocalDate day, LocalTime from, LocalDate last, LocalTime until, Stretch.Kind kind) {
    return new Stretch(
        day.atTime(from).atZone(zone).toInstant(),
        last.atTime(until).atZone(zone).toInstant(),
        kind);
  }
}
