package dev.agentmemory.search.internal.index;

import java.time.Instant;
import java.time.LocalDate;
import java.time.Year;
import java.time.ZoneId;

/// The days of a year in a zone.
final class YearDays {

  private static final long USUAL_MILLIS = 86_400_000;

  private final LocalDate first;

  /// Where each day begins, and where the last one ends.
  private final long[] bounds;

  YearDays(int year, ZoneId zone) {
    first = LocalDate.of(year, 1, 1);
    bounds = new long[Year.of(year).length() + 1];
    for (int day = 0; day < bounds.length; day++) {
      bounds[day] = first.plusDays(day).atStartOfDay(zone).toInstant().toEpochMilli();
    }
  }

  int size() {
    return bounds.length - 1;
  }

  LocalDate date(int day) {
    return first.plusDays(day);
  }

  /// The day of a time, from 0; -1 for a time in another year.
  int of(long millis) {
    if (millis < bounds[0] || millis >= bounds[size()]) {
      return -1;
    }
    // Days of other lengths move the borders by hours.
    int day = (int) Math.min(size() - 1, (millis - bounds[0]) / USUAL_MILLIS);
    while (millis < bounds[day]) {
      day--;
    }
    while (millis >= bounds[day + 1]) {
      day++;
    }
    return day;
  }

  static int year(long millis, ZoneId zone) {
    return Instant.ofEpochMilli(millis).atZone(zone).getYear();
  }
}
