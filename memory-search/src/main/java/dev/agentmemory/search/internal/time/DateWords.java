package dev.agentmemory.search.internal.time;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/// A day as people name it, so that a question that names it finds what was said on it.
public record DateWords(ZoneId zone) {

  private static final DateTimeFormatter FORM =
      DateTimeFormatter.ofPattern("EEEE d MMMM uuuu", Locale.ENGLISH);

  /// Weekday, day, month and year.
  public String of(Instant time) {
    return FORM.format(time.atZone(zone));
  }
}
