package dev.agentmemory.search.internal.time;

import dev.agentmemory.search.internal.time.TimeRange.Kind;
import dev.agentmemory.search.internal.time.TimeRange.Read;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.Month;
import java.time.YearMonth;
import java.time.temporal.IsoFields;
import java.time.temporal.TemporalAdjusters;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Reads times that are named by the calendar: 5 May 2023, March, 2022, Q1 2024, week 5 of 2026.
///
/// A day or a month without its year is the last one that began no later than an anchor, which is
/// today or what another part of the text gives. Words that are ordinary ones too, or numbers, are
/// read only where something says that a time is meant: a word such as "in", or a year.
record CalendarTimes(TimeWording words, QueryContext context) {

  private static final Pattern ISO_DATE = Pattern.compile("(\\d{4})([-/])(\\d{1,2})\\2(\\d{1,2})");
  private static final Pattern ISO_MONTH = Pattern.compile("(\\d{4})-(\\d{2})");
  private static final Pattern ISO_WEEK = Pattern.compile("(\\d{4})-w(\\d{2})");

  /// 29 February is up to eight years away.
  private static final int YEARS_TO_TRY = 9;

  /// What begins with a word, the longest that can be read.
  ///
  /// @param meant whether the words before say that a time follows
  /// @param anchor latest day on which a time without a year begins
  Optional<Read> at(int i, boolean meant, LocalDate anchor) {
    return longest(
        Stream.of(
            date(i, meant, anchor),
            week(i),
            quarter(i, meant, anchor),
            month(i, meant, anchor),
            weekday(i, meant, anchor),
            meant ? isoMonth(i) : Optional.empty(),
            meant ? year(i) : Optional.empty()));
  }

  static Optional<Read> longest(Stream<Optional<Read>> all) {
    return all.flatMap(Optional::stream)
        .reduce((one, other) -> other.next() > one.next() ? other : one);
  }

  /// A whole date, its weekday before it or not.
  private Optional<Read> date(int i, boolean meant, LocalDate anchor) {
    if (TimeVocabulary.weekday(words.at(i)).isPresent()) {
      int next = words.is(i + 1, TimeWording.COMMA) ? i + 2 : i + 1;
      return plainDate(next, true, anchor);
    }
    return plainDate(i, meant, anchor);
  }

  private Optional<Read> plainDate(int i, boolean meant, LocalDate anchor) {
    return iso(i).or(() -> dayMonth(i, meant, anchor)).or(() -> monthDay(i, meant, anchor));
  }

  private Optional<Read> iso(int i) {
    Matcher iso = ISO_DATE.matcher(words.at(i));
    if (!iso.matches()) {
      return Optional.empty();
    }
    return dated(iso.group(1), number(iso, 3), number(iso, 4))
        .map(day -> new Read(context.day(day, Kind.DATE), i + 1));
  }

  private static int number(Matcher matcher, int group) {
    return Integer.parseInt(matcher.group(group));
  }

  private static Optional<LocalDate> dated(String year, int month, int day) {
    OptionalInt found = TimeVocabulary.year(year);
    return found.isPresent() ? day(found.getAsInt(), month, day) : Optional.empty();
  }

  private static Optional<LocalDate> day(int year, int month, int day) {
    try {
      return Optional.of(LocalDate.of(year, month, day));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /// "5 May 2023", "the 5th of May".
  private Optional<Read> dayMonth(int i, boolean meant, LocalDate anchor) {
    int first = words.afterThe(i);
    OptionalInt day = TimeVocabulary.day(words.at(first));
    boolean of = words.is(first + 1, "of");
    int name = of ? first + 2 : first + 1;
    Optional<Month> month = TimeVocabulary.month(words.at(name));
    if (day.isEmpty() || month.isEmpty()) {
      return Optional.empty();
    }
    boolean clear =
        meant || of || TimeVocabulary.hasEnding(words.at(first)) || words.isClearMonth(name);
    return onDay(month.get(), day.getAsInt(), name + 1, clear, anchor);
  }

  /// "May 5th, 2023", "March the 5th".
  private Optional<Read> monthDay(int i, boolean meant, LocalDate anchor) {
    Optional<Month> month = TimeVocabulary.month(words.at(i));
    int number = words.afterThe(i + 1);
    OptionalInt day = TimeVocabulary.day(words.at(number));
    if (day.isEmpty() || month.isEmpty()) {
      return Optional.empty();
    }
    // "May 5 people come?" begins with a capital too.
    boolean sure = !TimeVocabulary.isVerb(words.at(i)) || (words.isCapital(i) && i > 0);
    boolean clear = meant || TimeVocabulary.hasEnding(words.at(number)) || sure;
    return onDay(month.get(), day.getAsInt(), number + 1, clear, anchor);
  }

  /// Reads the year, if it follows.
  ///
  /// @param clear whether the words are a date without it
  private Optional<Read> onDay(Month month, int day, int i, boolean clear, LocalDate anchor) {
    int year = words.is(i, TimeWording.COMMA) || words.is(i, "of") ? i + 1 : i;
    OptionalInt found = TimeVocabulary.year(words.at(year));
    if (found.isPresent()) {
      return day(found.getAsInt(), month.getValue(), day)
          .map(date -> new Read(context.day(date, Kind.DATE), year + 1));
    }
    if (!clear) {
      return Optional.empty();
    }
    for (int back = 0; back < YEARS_TO_TRY; back++) {
      Optional<LocalDate> date = day(anchor.getYear() - back, month.getValue(), day);
      if (date.isPresent() && !date.get().isAfter(anchor)) {
        return Optional.of(new Read(context.day(date.get(), Kind.YEARLESS), i));
      }
    }
    return Optional.empty();
  }

  /// "2026-W05", "week 5 of 2026".
  private Optional<Read> week(int i) {
    Matcher iso = ISO_WEEK.matcher(words.at(i));
    if (iso.matches()) {
      return week(iso.group(1), number(iso, 2)).map(week -> new Read(week, i + 1));
    }
    OptionalInt number = TimeVocabulary.number(words.at(i + 1));
    if (!words.is(i, "week") || number.isEmpty()) {
      return Optional.empty();
    }
    int year = words.is(i + 2, "of", "in", TimeWording.COMMA) ? i + 3 : i + 2;
    return week(words.at(year), number.getAsInt()).map(found -> new Read(found, year + 1));
  }

  private Optional<TimeRange> week(String year, int week) {
    OptionalInt found = TimeVocabulary.year(year);
    if (found.isEmpty() || week < 1) {
      return Optional.empty();
    }
    // 4 January is always in the first week.
    LocalDate inFirst = LocalDate.of(found.getAsInt(), Month.JANUARY, 4);
    if (week > IsoFields.WEEK_OF_WEEK_BASED_YEAR.rangeRefinedBy(inFirst).getMaximum()) {
      return Optional.empty();
    }
    LocalDate monday =
        inFirst.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY)).plusWeeks(week - 1L);
    return Optional.of(context.days(monday, monday.plusWeeks(1), Kind.YEARLY));
  }

  /// "Q1 2024", "2024 Q1", "in Q1".
  private Optional<Read> quarter(int i, boolean meant, LocalDate anchor) {
    OptionalInt quarter = TimeVocabulary.quarter(words.at(i));
    if (quarter.isPresent()) {
      int year = words.is(i + 1, "of", TimeWording.COMMA) ? i + 2 : i + 1;
      OptionalInt found = TimeVocabulary.year(words.at(year));
      if (found.isPresent()) {
        TimeRange range = quarter(found.getAsInt(), quarter.getAsInt(), Kind.YEARLY);
        return Optional.of(new Read(range, year + 1));
      }
      if (!meant) {
        return Optional.empty();
      }
      LocalDate first = LocalDate.of(anchor.getYear(), quarter.getAsInt() * 3 - 2, 1);
      int last = first.isAfter(anchor) ? anchor.getYear() - 1 : anchor.getYear();
      return Optional.of(new Read(quarter(last, quarter.getAsInt(), Kind.YEARLESS), i + 1));
    }
    OptionalInt year = TimeVocabulary.year(words.at(i));
    OptionalInt after = TimeVocabulary.quarter(words.at(i + 1));
    return year.isPresent() && after.isPresent()
        ? Optional.of(new Read(quarter(year.getAsInt(), after.getAsInt(), Kind.YEARLY), i + 2))
        : Optional.empty();
  }

  TimeRange quarter(int year, int quarter, Kind kind) {
    LocalDate first = LocalDate.of(year, quarter * 3 - 2, 1);
    return context.days(first, first.plusMonths(3), kind);
  }

  /// "March 2023", "March of 2023"; "March" where a time is meant.
  private Optional<Read> month(int i, boolean meant, LocalDate anchor) {
    Optional<Month> month = TimeVocabulary.month(words.at(i));
    if (month.isEmpty()) {
      return Optional.empty();
    }
    int year = words.is(i + 1, "of", "in", TimeWording.COMMA) ? i + 2 : i + 1;
    OptionalInt found = TimeVocabulary.year(words.at(year));
    if (found.isPresent()) {
      YearMonth in = YearMonth.of(found.getAsInt(), month.get());
      return Optional.of(new Read(month(in, Kind.YEARLY), year + 1));
    }
    boolean person = TimeVocabulary.isName(words.at(i)) && words.is(i + 1, TimeWording.GENITIVE);
    if (!meant || person) {
      return Optional.empty();
    }
    YearMonth last = YearMonth.from(anchor).withMonth(month.get().getValue());
    YearMonth in = last.atDay(1).isAfter(anchor) ? last.minusYears(1) : last;
    return Optional.of(new Read(month(in, Kind.YEARLESS), i + 1));
  }

  private TimeRange month(YearMonth month, Kind kind) {
    return context.days(month.atDay(1), month.plusMonths(1).atDay(1), kind);
  }

  private Optional<Read> isoMonth(int i) {
    Matcher iso = ISO_MONTH.matcher(words.at(i));
    if (!iso.matches()) {
      return Optional.empty();
    }
    return dated(iso.group(1), number(iso, 2), 1)
        .map(first -> new Read(month(YearMonth.from(first), Kind.YEARLY), i + 1));
  }

  private Optional<Read> year(int i) {
    OptionalInt year = TimeVocabulary.year(words.at(i));
    if (year.isEmpty()) {
      return Optional.empty();
    }
    LocalDate first = LocalDate.of(year.getAsInt(), 1, 1);
    return Optional.of(new Read(context.days(first, first.plusYears(1), Kind.YEARLY), i + 1));
  }

  /// The last such day before the anchor: who means the anchor itself says today.
  private Optional<Read> weekday(int i, boolean meant, LocalDate anchor) {
    Optional<DayOfWeek> weekday = TimeVocabulary.weekday(words.at(i));
    if (weekday.isEmpty() || words.is(i + 1, "mornings", "afternoons", "evenings", "nights")) {
      return Optional.empty();
    }
    LocalDate day = RelativeTimes.before(anchor, weekday.get());
    Optional<TimeRange> part = context.part(day, words.at(i + 1), Kind.WEEKDAY);
    if (part.isPresent()) {
      return Optional.of(new Read(part.get(), i + 2));
    }
    boolean full = words.at(i).endsWith("day");
    if (!meant && !(full && words.is(i + 1, TimeWording.GENITIVE))) {
      return Optional.empty();
    }
    return Optional.of(new Read(context.day(day, Kind.WEEKDAY), i + 1));
  }
}
