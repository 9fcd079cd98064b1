package dev.agentmemory.cli.time;

import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.time.temporal.IsoFields;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A time as a user writes it. Its value depends on the store's zone and the current time.
public sealed interface When {

  /// The forms, for help texts and errors.
  String FORMS =
      "2026-01-30, 2026-01-30T14:30 (in the store's zone, or with Z or +01:00 at the end), 2026-01,"
          + " 2026-W05, 2026, today, yesterday, now, 24h or 7d (ago), or milliseconds since 1970";

  /// The range that it denotes.
  Stretch in(ZoneId zone, Instant now);

  /// A range of time; a moment ends where it begins.
  ///
  /// @param end exclusive
  /// @param node of the table of contents: that of the period, or of the day of a moment
  record Stretch(Instant start, Instant end, NodeId node) {

    private static Stretch days(ZoneId zone, LocalDate from, LocalDate to, NodeId node) {
      return new Stretch(
          from.atStartOfDay(zone).toInstant(), to.atStartOfDay(zone).toInstant(), node);
    }
  }

  /// A moment that is independent of the zone.
  record Moment(Instant at) implements When {
    @Override
    public Stretch in(ZoneId zone, Instant now) {
      return new Stretch(at, at, NodeId.day(LocalDate.ofInstant(at, zone)));
    }
  }

  /// A local date and time.
  record Local(LocalDateTime at) implements When {
    @Override
    public Stretch in(ZoneId zone, Instant now) {
      return new Moment(at.atZone(zone).toInstant()).in(zone, now);
    }
  }

  /// Some time before now. A day is a calendar day, also when clocks are changed.
  record Ago(int amount, ChronoUnit unit) implements When {
    @Override
    public Stretch in(ZoneId zone, Instant now) {
      return new Moment(now.atZone(zone).minus(amount, unit).toInstant()).in(zone, now);
    }
  }

  /// A whole day, counted back from today.
  record DaysBack(int days) implements When {
    @Override
    public Stretch in(ZoneId zone, Instant now) {
      return new Day(LocalDate.ofInstant(now, zone).minusDays(days)).in(zone, now);
    }
  }

  /// A whole day.
  record Day(LocalDate day) implements When {
    @Override
    public Stretch in(ZoneId zone, Instant now) {
      return Stretch.days(zone, day, day.plusDays(1), NodeId.day(day));
    }
  }

  /// An ISO week, which begins on Monday.
  record Week(LocalDate monday) implements When {
    @Override
    public Stretch in(ZoneId zone, Instant now) {
      NodeId node =
          NodeId.week(
              monday.get(IsoFields.WEEK_BASED_YEAR), monday.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR));
      return Stretch.days(zone, monday, monday.plusWeeks(1), node);
    }
  }

  /// A calendar month.
  record Month(YearMonth month) implements When {
    @Override
    public Stretch in(ZoneId zone, Instant now) {
      LocalDate first = month.atDay(1);
      return Stretch.days(zone, first, first.plusMonths(1), NodeId.month(month));
    }
  }

  /// A calendar year.
  record Year(int year) implements When {
    @Override
    public Stretch in(ZoneId zone, Instant now) {
      LocalDate first = LocalDate.of(year, 1, 1);
      return Stretch.days(zone, first, first.plusYears(1), NodeId.year(year));
    }
  }

  /// @param name of the option or parameter, for the error
  /// @throws MemoryException `INVALID_FIELD` with the accepted forms
  static When parse(String name, String text) {
    try {
      return Words.read(text.strip().toLowerCase(Locale.ROOT));
    } catch (DateTimeException | ArithmeticException | IllegalArgumentException e) {
      throw MemoryException.invalid(
          name, "is `" + text + "`, " + Words.complaint(text) + "; expected a time: " + FORMS);
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
        case "now" -> new Ago(0, ChronoUnit.MINUTES);
        case "today" -> new DaysBack(0);
        case "yesterday" -> new DaysBack(1);
        default -> number(text);
      };
    }

    private static When number(String text) {
      Matcher ago = AGO.matcher(text);
      if (ago.matches()) {
        return new Ago(Integer.parseInt(ago.group(1)), unit(ago.group(2)));
      }
      if (SECONDS.matcher(text).matches()) {
        throw new IllegalArgumentException(text);
      }
      return MILLIS.matcher(text).matches()
          ? new Moment(Instant.ofEpochMilli(Long.parseLong(text)))
          : date(text);
    }

    private static When date(String text) {
      Matcher week = WEEK.matcher(text);
      if (week.matches()) {
        return new Week(monday(Integer.parseInt(week.group(1)), Integer.parseInt(week.group(2))));
      }
      return switch (text.length()) {
        case 4 -> new Year(java.time.Year.parse(text).getValue());
        case 7 -> new Month(YearMonth.parse(text));
        case 10 -> new Day(LocalDate.parse(text));
        default -> moment(text.replace(' ', 't'));
      };
    }

    private static When moment(String text) {
      return ZONED.matcher(text).matches()
          ? new Moment(OffsetDateTime.parse(text).toInstant())
          : new Local(LocalDateTime.parse(text));
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

    private static String complaint(String text) {
      return SECONDS.matcher(text.strip()).matches()
          ? "which looks like seconds"
          : "which is not a time";
    }
  }
}
