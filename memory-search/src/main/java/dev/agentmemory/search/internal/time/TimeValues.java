package dev.agentmemory.search.internal.time;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.YearMonth;
import java.time.ZoneId;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads the values of the filters of time: `2026-01-30`, `2026-01`, `2026`, an instant of ISO 8601
/// with or without its offset, or a period that [TimeWords] knows, such as `yesterday`. Years have
/// four digits.
public record TimeValues(ZoneId zone, Instant now) {

  private static final Pattern DAYS = Pattern.compile("(\\d{4})(?:-(\\d{2})(?:-(\\d{2}))?)?");
  private static final Pattern MOMENT =
      Pattern.compile(
          "\\d{4}-\\d{2}-\\d{2}[tT]\\d{2}:\\d{2}(:\\d{2}([.]\\d{1,9})?)?"
              + "([zZ]|[+-]\\d{2}:\\d{2})?");

  /// A time range.
  ///
  /// @param until not included
  public record Value(Instant from, Instant until) {}

  /// What a value means; empty when it means no time.
  public Optional<Value> read(String value) {
    try {
      Matcher days = DAYS.matcher(value);
      if (days.matches()) {
        return Optional.of(days(days));
      }
      Matcher moment = MOMENT.matcher(value);
      if (moment.matches()) {
        return Optional.of(moment(moment));
      }
    } catch (DateTimeException e) {
      // Looks like a date, such as 2026-02-30, and is none.
      return Optional.empty();
    }
    return TimeWords.readOne(value, zone, now).map(time -> new Value(time.from(), time.until()));
  }

  private Value days(Matcher digits) {
    int year = Integer.parseInt(digits.group(1));
    if (digits.group(2) == null) {
      LocalDate first = LocalDate.of(year, 1, 1);
      return between(first, first.plusYears(1));
    }
    YearMonth month = YearMonth.of(year, Integer.parseInt(digits.group(2)));
    if (digits.group(3) == null) {
      return between(month.atDay(1), month.plusMonths(1).atDay(1));
    }
    LocalDate day = LocalDate.of(year, month.getMonth(), Integer.parseInt(digits.group(3)));
    return between(day, day.plusDays(1));
  }

  private Value between(LocalDate from, LocalDate until) {
    return new Value(from.atStartOfDay(zone).toInstant(), until.atStartOfDay(zone).toInstant());
  }

  /// A moment lasts as long as what it leaves out: a minute, a second or a millisecond.
  private Value moment(Matcher moment) {
    String text = moment.group().toUpperCase(Locale.ROOT);
    Instant from =
        moment.group(3) == null
            ? LocalDateTime.parse(text).atZone(zone).toInstant()
            : OffsetDateTime.parse(text).toInstant();
    Duration length = Duration.ofMinutes(1);
    if (moment.group(2) != null) {
      length = Duration.ofMillis(1);
    } else if (moment.group(1) != null) {
      length = Duration.ofSeconds(1);
    }
    return new Value(from, from.plus(length));
  }
}
