package dev.agentmemory.search.internal.time;

import dev.agentmemory.search.internal.time.RelativeTimes.Counted;
import dev.agentmemory.search.internal.time.TimeRange.Kind;
import dev.agentmemory.search.internal.time.TimeRange.Read;
import dev.agentmemory.search.internal.time.TimeVocabulary.Unit;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/// Reads periods: those of [RelativeTimes] and [CalendarTimes], their parts (late May 2023, the
/// first week of March), and what lies at a distance from a date (two weeks before 5 May 2023).
final class Periods {

  private static final int WEEK = 7;
  private static final int TEN_DAYS = 10;
  private static final int SHORTEST_MONTH = 28;
  private static final int LONGEST_MONTH = 31;
  private static final int SHORTEST_YEAR = 365;

  private final TimeWording words;
  private final QueryContext context;
  private final RelativeTimes relative;
  private final CalendarTimes calendar;

  Periods(TimeWording words, QueryContext context) {
    this.words = words;
    this.context = context;
    this.relative = new RelativeTimes(words, context);
    this.calendar = new CalendarTimes(words, context);
  }

  /// What begins with a word, the longest that can be read.
  ///
  /// @param meant whether the words before say that a time follows
  /// @param anchor latest day on which a time without a year begins
  Optional<Read> at(int i, boolean meant, LocalDate anchor) {
    return CalendarTimes.longest(
        Stream.of(
            relative.at(i),
            calendar.at(i, meant, anchor),
            third(i, anchor),
            ordinal(i, anchor),
            around(i, anchor),
            distant(i, anchor)));
  }

  private Optional<Read> whole(int i, LocalDate anchor) {
    return CalendarTimes.longest(Stream.of(relative.at(i), calendar.at(i, true, anchor)));
  }

  /// A period in days.
  private record Days(LocalDate from, LocalDate until) {
    int count() {
      return (int) ChronoUnit.DAYS.between(from, until);
    }

    boolean isMonth() {
      return count() >= SHORTEST_MONTH && count() <= LONGEST_MONTH;
    }

    boolean isYear() {
      return count() >= SHORTEST_YEAR;
    }
  }

  private Days days(TimeRange range) {
    return new Days(context.date(range.from()), context.date(range.until()));
  }

  /// "Early May", "mid 2023", "the end of last month".
  private Optional<Read> third(int i, LocalDate anchor) {
    int third =
        switch (words.at(i)) {
          case "early" -> 0;
          case "mid" -> 1;
          case "late" -> 2;
          default -> -1;
        };
    int next = i + 1;
    if (third < 0) {
      int noun = words.afterThe(i);
      third =
          switch (words.at(noun)) {
            case "beginning", "start" -> 0;
            case "middle" -> 1;
            case "end" -> 2;
            default -> -1;
          };
      next = noun + 2;
      if (third < 0 || !words.is(noun + 1, "of")) {
        return Optional.empty();
      }
    }
    int part = third;
    int first = next;
    return whole(first, anchor)
        .filter(whole -> clear(first, whole))
        .flatMap(whole ->
            third(days(whole.range()), part).map(days -> read(days, whole, whole.range().kind())));
  }

  /// "Too early may be" names no month.
  private boolean clear(int i, Read whole) {
    return whole.next() > i + 1 || words.isClearMonth(i);
  }

  private static Optional<Days> third(Days days, int part) {
    int length = days.isMonth() ? TEN_DAYS : days.count() / 3;
    if (length == 0) {
      return Optional.empty();
    }
    LocalDate from = days.from().plusDays((long) length * part);
    return Optional.of(new Days(from, part == 2 ? days.until() : from.plusDays(length)));
  }

  private Read read(Days days, Read whole, Kind kind) {
    return new Read(context.days(days.from(), days.until(), kind), whole.next());
  }

  /// "The first week of May", "the last Friday in March 2023", "the second half of 2022".
  private Optional<Read> ordinal(int i, LocalDate anchor) {
    int first = words.afterThe(i);
    OptionalInt ordinal = TimeVocabulary.ordinal(words.at(first));
    if (ordinal.isEmpty() || !words.is(first + 2, "of", "in")) {
      return Optional.empty();
    }
    String noun = words.at(first + 1);
    return whole(first + 3, anchor)
        .flatMap(whole ->
            ordinal(days(whole.range()), noun, ordinal.getAsInt())
                .map(days -> read(days, whole, whole.range().kind())));
  }

  private static Optional<Days> ordinal(Days whole, String noun, int ordinal) {
    Optional<DayOfWeek> weekday = TimeVocabulary.weekday(noun);
    if (weekday.isPresent()) {
      return nth(whole, weekday.get(), ordinal).map(day -> new Days(day, day.plusDays(1)));
    }
    return switch (noun) {
      case "day" -> piece(whole, 1, ordinal);
      case "week" -> piece(whole, WEEK, ordinal);
      case "weekend" ->
          nth(whole, DayOfWeek.SATURDAY, ordinal).map(day -> new Days(day, day.plusDays(2)));
      case "half" -> half(whole, ordinal);
      case "quarter" -> whole.isYear() ? quarter(whole, ordinal) : Optional.empty();
      default -> Optional.empty();
    };
  }

  private static Optional<Days> piece(Days whole, int length, int ordinal) {
    if (whole.count() <= length) {
      return Optional.empty();
    }
    LocalDate from =
        ordinal < 0
            ? whole.until().minusDays(length)
            : whole.from().plusDays((long) length * (ordinal - 1));
    LocalDate until = from.plusDays(length);
    if (!from.isBefore(whole.until())) {
      return Optional.empty();
    }
    return Optional.of(new Days(from, until.isAfter(whole.until()) ? whole.until() : until));
  }

  private static Optional<LocalDate> nth(Days whole, DayOfWeek weekday, int ordinal) {
    LocalDate day =
        ordinal < 0
            ? RelativeTimes.before(whole.until(), weekday)
            : whole.from().with(TemporalAdjusters.nextOrSame(weekday)).plusWeeks(ordinal - 1);
    boolean inside = !day.isBefore(whole.from()) && day.isBefore(whole.until());
    return inside ? Optional.of(day) : Optional.empty();
  }

  private static Optional<Days> half(Days whole, int ordinal) {
    int which = ordinal < 0 ? 2 : ordinal;
    if (which > 2 || whole.count() < 2) {
      return Optional.empty();
    }
    LocalDate middle =
        whole.isYear() ? whole.from().plusMonths(6) : whole.from().plusDays(whole.count() / 2);
    return Optional.of(
        which == 1 ? new Days(whole.from(), middle) : new Days(middle, whole.until()));
  }

  private static Optional<Days> quarter(Days year, int ordinal) {
    int which = ordinal < 0 ? 4 : ordinal;
    if (which > 4) {
      return Optional.empty();
    }
    LocalDate from = year.from().plusMonths(3L * (which - 1));
    return Optional.of(new Days(from, from.plusMonths(3)));
  }

  /// "The week of 5 May 2023", "the month of May".
  private Optional<Read> around(int i, LocalDate anchor) {
    int noun = words.afterThe(i);
    if (!words.is(noun + 1, "of")) {
      return Optional.empty();
    }
    return switch (words.at(noun)) {
      case "week" -> week(noun + 2, anchor, 0, WEEK);
      case "weekend" -> week(noun + 2, anchor, WEEK - 2, 2);
      case "month", "year" -> calendar.at(noun + 2, true, anchor);
      default -> Optional.empty();
    };
  }

  private Optional<Read> week(int i, LocalDate anchor, int skipped, int length) {
    return calendar
        .at(i, true, anchor)
        .filter(whole -> days(whole.range()).count() == 1)
        .map(whole -> {
          LocalDate monday =
              days(whole.range()).from().with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
          LocalDate from = monday.plusDays(skipped);
          return read(new Days(from, from.plusDays(length)), whole, part(whole.range()));
        });
  }

  /// A period that is derived from a date is not a named date itself.
  private static Kind part(TimeRange date) {
    return date.absolute() ? Kind.YEARLY : Kind.YEARLESS;
  }

  /// "Two weeks before 5 May 2023", "the day after March 3", "the Sunday before 25 October 2022".
  private Optional<Read> distant(int i, LocalDate anchor) {
    boolean the = words.is(i, "the", "last");
    int noun = the ? i + 1 : relative.count(i).map(Counted::next).orElse(i);
    boolean before = words.is(noun + 1, "before");
    if (noun == i || !(before || words.is(noun + 1, "after"))) {
      return Optional.empty();
    }
    int count = the ? 1 : relative.count(i).map(counted -> counted.count().low()).orElse(1);
    return calendar
        .at(noun + 2, true, anchor)
        .flatMap(whole -> {
          Days base = days(whole.range());
          LocalDate day = before ? base.from() : base.until().minusDays(1);
          Optional<Days> found =
              the
                  ? next(day, words.at(noun), before)
                  : TimeVocabulary.units(words.at(noun))
                      .map(unit -> days(relative.around(day, unit, before ? -count : count)));
          return found.map(days -> read(days, whole, part(whole.range())));
        });
  }

  private static Optional<Days> next(LocalDate day, String noun, boolean before) {
    Optional<DayOfWeek> weekday = TimeVocabulary.weekday(noun);
    if (weekday.isPresent()) {
      LocalDate found =
          before
              ? RelativeTimes.before(day, weekday.get())
              : day.with(TemporalAdjusters.next(weekday.get()));
      return Optional.of(new Days(found, found.plusDays(1)));
    }
    return TimeVocabulary.unit(noun).flatMap(unit -> next(day, unit, before));
  }

  private static Optional<Days> next(LocalDate day, Unit unit, boolean before) {
    LocalDate after = day.plusDays(1);
    return switch (unit) {
      case MINUTE, HOUR, QUARTER -> Optional.empty();
      case WEEKEND -> {
        LocalDate saturday =
            before
                ? day.with(TemporalAdjusters.previous(DayOfWeek.SUNDAY)).minusDays(1)
                : day.with(TemporalAdjusters.next(DayOfWeek.SATURDAY));
        yield Optional.of(new Days(saturday, saturday.plusDays(2)));
      }
      case DAY -> Optional.of(before ? new Days(day.minusDays(1), day) : piece(after, 1));
      case WEEK -> Optional.of(before ? new Days(day.minusDays(WEEK), day) : piece(after, WEEK));
      case MONTH ->
          Optional.of(
              before ? new Days(day.minusMonths(1), day) : new Days(after, after.plusMonths(1)));
      case YEAR ->
          Optional.of(
              before ? new Days(day.minusYears(1), day) : new Days(after, after.plusYears(1)));
    };
  }

  private static Days piece(LocalDate from, int length) {
    return new Days(from, from.plusDays(length));
  }
}
