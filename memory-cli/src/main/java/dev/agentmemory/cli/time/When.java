package dev.agentmemory.cli.time;

import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.time.temporal.IsoFields;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A time as a user writes it. Its value depends on the store's zone and the current time.
@FunctionalInterface
public interface When {

  /// The forms, for help texts and errors.
  String FORMS =
      "2026-01-30, 2026-01-30T14:30 (in the store's zone, or with Z or +01:00 at the end), 2026-01,"
          + " 2026-W05, 2026, today, yesterday, now, 24h or 7d (ago), or milliseconds since 1970";

  /// The range that it denotes.
  Interval in(ZoneId zone, Instant now);

  /// A range of time; a moment ends where it begins.
  ///
  /// @param end exclusive
  /// @param node of the table of contents: that of the period, or of the day of a moment
  record Interval(Instant start, Instant end, NodeId node) {

    private static Interval moment(ZoneId zone, Instant at) {
      return new Interval(at, at, NodeId.day(LocalDate.ofInstant(at, zone)));
    }

    private static Interval day(ZoneId zone, LocalDate day) {
      return days(zone, day, day.plusDays(1), NodeId.day(day));
    }

    private static Interval days(ZoneId zone, LocalDate from, LocalDate to, NodeId node) {
      return new Interval(
          from.atStartOfDay(zone).toInstant(), to.atStartOfDay(zone).toInstant(), node);
    }
  }

  /// @param name of the option or parameter, for the error
  /// @throws MemoryException `INVALID_FIELD` with the accepted forms
  static When parse(String name, String text) {
    try {
      return Words.read(text.strip().toLowerCase(Locale.ROOT));
    } catch (DateTimeException | ArithmeticException | IllegalArgumentException e) {
      throw MemoryException.invalid(
          name, "is `" + text + "`, " + Words.problem(text) + "; expected a time: " + FORMS);
    }
  }

  /// Parses times.
  final class Words {

    private static final Pattern AGO = Pattern.compile("(\\d{1,6})([mhdw])");
    private static final Pattern MILLIS = Pattern.compile("\\d{1,3}|\\d{5,13}");
    private static final Pattern SECONDS = Pattern.compile("\\d{9,10}");
    private static final Pattern WEEK = Pattern.compile("(\\d{4})-w(\\d{2})");
    private static final Pattern ZONED = Pattern.compile(".*t.*(z|[+-]\\d{2}:?\\d{2})");

    private Words() {}

    private static When read(String text) {
      return switch (text) {
        case "now" -> Interval::moment;
        case "today" -> (zone, now) -> Interval.day(zone, LocalDate.ofInstant(now, zone));
        case "yesterday" ->
            (zone, now) -> Interval.day(zone, LocalDate.ofInstant(now, zone).minusDays(1));
        default -> number(text);
      };
    }

    private static When number(String text) {
      Matcher ago = AGO.matcher(text);
      if (ago.matches()) {
        // A day is a calendar day, also when clocks are changed.
        int amount = Integer.parseInt(ago.group(1));
        ChronoUnit unit = unit(ago.group(2));
        return (zone, now) ->
            Interval.moment(zone, now.atZone(zone).minus(amount, unit).toInstant());
      }
      if (SECONDS.matcher(text).matches()) {
        throw new IllegalArgumentException(text);
      }
      return MILLIS.matcher(text).matches()
          ? moment(Instant.ofEpochMilli(Long.parseLong(text)))
          : date(text);
    }

    private static When date(String text) {
      Matcher week = WEEK.matcher(text);
      if (week.matches()) {
        return week(Integer.parseInt(week.group(1)), Integer.parseInt(week.group(2)));
      }
      return switch (text.length()) {
        case 4 -> year(Year.parse(text).getValue());
        case 7 -> month(YearMonth.parse(text));
        case 10 -> day(LocalDate.parse(text));
        default -> time(text.replace(' ', 't'));
      };
    }

    private static When year(int year) {
      LocalDate first = LocalDate.of(year, 1, 1);
      return (zone, _) -> Interval.days(zone, first, first.plusYears(1), NodeId.year(year));
    }

    private static When month(YearMonth month) {
      LocalDate first = month.atDay(1);
      return (zone, _) -> Interval.days(zone, first, first.plusMonths(1), NodeId.month(month));
    }

    /// An ISO week, which begins on Monday.
    private static When week(int year, int week) {
      LocalDate monday = monday(year, week);
      return (zone, _) -> Interval.days(zone, monday, monday.plusWeeks(1), NodeId.week(year, week));
    }

    private static When day(LocalDate day) {
      return (zone, _) -> Interval.day(zone, day);
    }

    private static When time(String text) {
      if (ZONED.matcher(text).matches()) {
        return moment(OffsetDateTime.parse(text).toInstant());
      }
      LocalDateTime local = LocalDateTime.parse(text);
      return (zone, _) -> Interval.moment(zone, local.atZone(zone).toInstant());
    }

    private static When moment(Instant at) {
      return (zone, _) -> Interval.moment(zone, at);
    }

    private static LocalDate monday(int year, int week) {
      LocalDate monday =
          LocalDate.of(year, 1, 4)
              .with(IsoFields.WEEK_OF_WEEK_BASED_YEAR, week)
              .with(DayOfWeek.MONDAY);
      if (monday.get(IsoFields.WEEK_BASED_YEAR) != year) {
        throw new DateTimeException(year + " has no week " + week);
      }
      return monday;
    }

    private static ChronoUnit unit(String letter) {
      return switch (letter) {
        case "m" -> ChronoUnit.MINUTES;
        case "h" -> ChronoUnit.HOURS;
        case "d" -> ChronoUnit.DAYS;
        default -> ChronoUnit.WEEKS;
      };
    }

    private static String problem(String text) {
      return SECONDS.matcher(text.strip()).matches()
          ? "which looks like seconds"
          : "which is not a time";
    }
  }
}
