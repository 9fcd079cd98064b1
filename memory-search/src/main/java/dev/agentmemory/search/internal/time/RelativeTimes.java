package dev.agentmemory.search.internal.time;

import dev.agentmemory.search.internal.time.TimeRange.Kind;
import dev.agentmemory.search.internal.time.TimeRange.Read;
import dev.agentmemory.search.internal.time.TimeVocabulary.Count;
import dev.agentmemory.search.internal.time.TimeVocabulary.Unit;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.Month;
import java.time.YearMonth;
import java.time.temporal.IsoFields;
import java.time.temporal.TemporalAdjusters;
import java.util.Optional;
import java.util.OptionalInt;

/// Reads times that are relative to the current time of the query: yesterday, two weeks ago, last
/// month. Weeks begin on Monday. Times in the future (tomorrow, next week) are not read, because no
/// events are stored for them.
///
/// "Two weeks ago" rarely means an exact day, so it denotes one such unit around that day. Days are
/// exact. "Last week" is the week before this one, "the past week" the seven days up to now. "The
/// last week" is the same, unless a period follows ("the last week of May").
record RelativeTimes(TimeWording words, QueryContext context) {

  private static final Count COUPLE = new Count(2, 3);
  private static final Count FEW = new Count(2, 5);
  private static final Count SEVERAL = new Count(3, 7);
  private static final Duration HALF_AN_HOUR = Duration.ofMinutes(30);
  private static final Duration SOME_MINUTES = Duration.ofMinutes(5);

  /// What begins with a word, the longest that can be read.
  Optional<Read> at(int i) {
    return day(i).or(() -> ago(i)).or(() -> beforeLast(i)).or(() -> rolling(i)).or(() -> near(i));
  }

  private Optional<Read> day(int i) {
    LocalDate today = context.today();
    int day = words.afterThe(i);
    if (words.is(day, "day") && words.is(day + 1, "before") && words.is(day + 2, "yesterday")) {
      return Optional.of(new Read(context.day(today.minusDays(2), Kind.RELATIVE), day + 3));
    }
    if (words.is(i, "yesterday")) {
      LocalDate yesterday = today.minusDays(1);
      return Optional.of(
          context
              .part(yesterday, words.at(i + 1), Kind.RELATIVE)
              .map(part -> new Read(part, i + 2))
              .orElseGet(() -> new Read(context.day(yesterday, Kind.RELATIVE), i + 1)));
    }
    if (words.is(i, "today")) {
      return Optional.of(new Read(context.day(today, Kind.RELATIVE), i + 1));
    }
    if (words.is(i, "tonight")) {
      return context.part(today, "evening", Kind.RELATIVE).map(part -> new Read(part, i + 1));
    }
    if (words.is(i, "this") && !words.is(i + 1, "night")) {
      return context.part(today, words.at(i + 1), Kind.RELATIVE).map(part -> new Read(part, i + 2));
    }
    if (words.is(i, "last") && words.is(i + 1, "night", "evening")) {
      return context
          .part(today.minusDays(1), words.at(i + 1), Kind.RELATIVE)
          .map(part -> new Read(part, i + 2));
    }
    return Optional.empty();
  }

  /// How many, and the first word after it.
  record Counted(Count count, int next) {}

  /// Reads a number of units.
  Optional<Counted> count(int i) {
    int noun = words.is(i, "a") ? i + 1 : i;
    if (words.is(noun, "couple")) {
      return Optional.of(new Counted(COUPLE, words.is(noun + 1, "of") ? noun + 2 : noun + 1));
    }
    if (words.is(noun, "few")) {
      return Optional.of(new Counted(FEW, noun + 1));
    }
    if (words.is(i, "several")) {
      return Optional.of(new Counted(SEVERAL, i + 1));
    }
    // "Half a year" is not a year.
    if (words.is(i, "a", "an") && !words.is(i - 1, "half")) {
      return Optional.of(new Counted(new Count(1, 1), i + 1));
    }
    OptionalInt low = TimeVocabulary.number(words.at(i));
    if (low.isEmpty()) {
      return Optional.empty();
    }
    if (words.is(i + 1, "or", "to")) {
      OptionalInt high = TimeVocabulary.number(words.at(i + 2));
      if (high.isPresent() && high.getAsInt() > low.getAsInt()) {
        return Optional.of(new Counted(new Count(low.getAsInt(), high.getAsInt()), i + 3));
      }
    }
    return Optional.of(new Counted(new Count(low.getAsInt(), low.getAsInt()), i + 1));
  }

  private Optional<Read> ago(int i) {
    return count(i)
        .filter(counted -> words.is(counted.next() + 1, "ago"))
        .flatMap(counted ->
            ago(counted.count(), words.at(counted.next()))
                .map(range -> new Read(range, counted.next() + 2)));
  }

  private Optional<TimeRange> ago(Count count, String noun) {
    Optional<Unit> unit = TimeVocabulary.units(noun);
    if (unit.isPresent()) {
      TimeRange first = ago(unit.get(), count.high());
      TimeRange last = ago(unit.get(), count.low());
      return Optional.of(new TimeRange(first.from(), last.until(), Kind.RELATIVE));
    }
    return TimeVocabulary.weekdays(noun)
        .map(weekday ->
            context.day(
                before(context.today(), weekday).minusWeeks(count.low() - 1), Kind.RELATIVE));
  }

  private TimeRange ago(Unit unit, int count) {
    LocalDate today = context.today();
    return switch (unit) {
      case MINUTE -> around(context.now().minus(Duration.ofMinutes(count)), SOME_MINUTES);
      case HOUR -> around(context.now().minus(Duration.ofHours(count)), HALF_AN_HOUR);
      case WEEKEND -> weekend(lastWeekend().minusWeeks(count - 1));
      case DAY, WEEK, MONTH, QUARTER, YEAR -> around(today, unit, -count);
    };
  }

  private static TimeRange around(Instant time, Duration half) {
    return new TimeRange(time.minus(half), time.plus(half), Kind.RELATIVE);
  }

  /// A unit around the day that lies some of them from another.
  TimeRange around(LocalDate day, Unit unit, int count) {
    return switch (unit) {
      case MINUTE, HOUR, DAY -> context.day(day.plusDays(count), Kind.RELATIVE);
      case WEEK, WEEKEND -> {
        LocalDate middle = day.plusWeeks(count);
        yield context.days(middle.minusDays(3), middle.plusDays(4), Kind.RELATIVE);
      }
      case MONTH -> {
        LocalDate middle = day.plusMonths(count);
        yield context.days(middle.minusDays(15), middle.plusDays(16), Kind.RELATIVE);
      }
      case QUARTER -> {
        LocalDate middle = day.plusMonths(3L * count);
        yield context.days(middle.minusDays(45), middle.plusDays(46), Kind.RELATIVE);
      }
      case YEAR -> {
        LocalDate middle = day.plusYears(count);
        yield context.days(middle.minusMonths(6), middle.plusMonths(6), Kind.RELATIVE);
      }
    };
  }

  /// "The week before last".
  private Optional<Read> beforeLast(int i) {
    int noun = words.afterThe(i);
    if (!words.is(noun + 1, "before") || !words.is(noun + 2, "last")) {
      return Optional.empty();
    }
    // In "the week before last Monday" the weekday is the last one.
    if (TimeVocabulary.weekday(words.at(noun + 3)).isPresent()
        || TimeVocabulary.unit(words.at(noun + 3)).isPresent()
        || TimeVocabulary.month(words.at(noun + 3)).isPresent()) {
      return Optional.empty();
    }
    return TimeVocabulary.unit(words.at(noun))
        .flatMap(unit -> calendar(unit, 2))
        .map(range -> new Read(range, noun + 3));
  }

  /// "The last two weeks", "the past few days", "the past month": up to now.
  private Optional<Read> rolling(int i) {
    int last = words.is(i, "the", "this") ? i + 1 : i;
    if (!words.is(last, "last", "past")) {
      return Optional.empty();
    }
    Optional<Counted> counted = count(last + 1);
    if (counted.isPresent() && !words.is(last + 1, "a", "an")) {
      int noun = counted.get().next();
      return TimeVocabulary.units(words.at(noun))
          .filter(_ -> !words.is(noun + 1, "of"))
          .map(unit -> new Read(upToNow(unit, counted.get().count().high()), noun + 1));
    }
    boolean rolls = words.is(last, "past") || last > i;
    return TimeVocabulary.unit(words.at(last + 1))
        .filter(unit -> unit != Unit.WEEKEND && !words.is(last + 2, "of"))
        .filter(unit -> rolls || unit == Unit.HOUR || unit == Unit.MINUTE)
        .map(unit -> new Read(upToNow(unit, 1), last + 2));
  }

  private TimeRange upToNow(Unit unit, int count) {
    LocalDate today = context.today();
    Instant now = context.now().plusMillis(1);
    Instant from =
        switch (unit) {
          case MINUTE -> context.now().minus(Duration.ofMinutes(count));
          case HOUR -> context.now().minus(Duration.ofHours(count));
          case DAY -> context.start(today.minusDays(count));
          case WEEK -> context.start(today.minusWeeks(count));
          case WEEKEND -> context.start(lastWeekend().minusWeeks(count - 1));
          case MONTH -> context.start(today.minusMonths(count));
          case QUARTER -> context.start(today.minusMonths(3L * count));
          case YEAR -> context.start(today.minusYears(count));
        };
    boolean precise = unit == Unit.MINUTE || unit == Unit.HOUR;
    Instant until = precise ? now : context.start(today.plusDays(1));
    return new TimeRange(from, until, Kind.RELATIVE);
  }

  /// "Last week", "this March", "this past Friday".
  private Optional<Read> near(int i) {
    if (words.is(i, "the") && words.is(i + 1, "weekend")) {
      return words.is(i - 1, "over", "on", "at", "during", "since", "before", "after")
          ? Optional.of(new Read(theWeekend(), i + 2))
          : Optional.empty();
    }
    int which = words.is(i, "this") && words.is(i + 1, "past", "last") ? i + 1 : i;
    which = words.is(i, "the") && words.is(i + 1, "past", "last", "previous") ? i + 1 : which;
    boolean past = words.is(which, "last", "past", "previous");
    if (!past && !words.is(which, "this")) {
      return Optional.empty();
    }
    int noun = which + 1;
    // "The last Monday of May" and "the last Monday in May" are read elsewhere, or not at all.
    if (which > i && words.is(i, "the") && words.is(noun + 1, "of", "in")) {
      return Optional.empty();
    }
    String name = words.at(noun);
    Optional<TimeRange> unit =
        TimeVocabulary.unit(name)
            .filter(_ -> !words.is(noun + 1, "of"))
            .flatMap(found -> calendar(found, past ? 1 : 0));
    return unit.or(() ->
            TimeVocabulary.month(name)
                .filter(_ -> words.isClearMonth(noun))
                .map(month -> month(month, past)))
        .map(range -> new Read(range, noun + 1))
        .or(() -> TimeVocabulary.weekday(name).map(day -> weekday(day, past, noun)));
  }

  private TimeRange month(Month month, boolean past) {
    YearMonth now = YearMonth.from(context.today());
    YearMonth found = now.withMonth(month.getValue());
    if (past && !found.isBefore(now)) {
      found = found.minusYears(1);
    }
    return context.days(found.atDay(1), found.plusMonths(1).atDay(1), Kind.RELATIVE);
  }

  private Read weekday(DayOfWeek weekday, boolean past, int noun) {
    LocalDate today = context.today();
    LocalDate day =
        past
            ? before(today, weekday)
            : today.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY)).with(weekday);
    return context
        .part(day, words.at(noun + 1), Kind.RELATIVE)
        .map(part -> new Read(part, noun + 2))
        .orElseGet(() -> new Read(context.day(day, Kind.RELATIVE), noun + 1));
  }

  /// The last such weekday before a day.
  static LocalDate before(LocalDate day, DayOfWeek weekday) {
    return day.with(TemporalAdjusters.previous(weekday));
  }

  /// A unit of the calendar, some of them back.
  private Optional<TimeRange> calendar(Unit unit, int back) {
    LocalDate today = context.today();
    return switch (unit) {
      case MINUTE, HOUR, DAY -> Optional.empty();
      case WEEK -> {
        LocalDate monday =
            today.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY)).minusWeeks(back);
        yield Optional.of(context.days(monday, monday.plusWeeks(1), Kind.RELATIVE));
      }
      case WEEKEND ->
          Optional.of(
              weekend(
                  back == 0
                      ? today.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY)).plusDays(5)
                      : lastWeekend().minusWeeks(back - 1)));
      case MONTH -> {
        LocalDate first = today.withDayOfMonth(1).minusMonths(back);
        yield Optional.of(context.days(first, first.plusMonths(1), Kind.RELATIVE));
      }
      case QUARTER -> {
        LocalDate first = today.with(IsoFields.DAY_OF_QUARTER, 1).minusMonths(3L * back);
        yield Optional.of(context.days(first, first.plusMonths(3), Kind.RELATIVE));
      }
      case YEAR -> {
        LocalDate first = today.withDayOfYear(1).minusYears(back);
        yield Optional.of(context.days(first, first.plusYears(1), Kind.RELATIVE));
      }
    };
  }

  private TimeRange weekend(LocalDate saturday) {
    return context.days(saturday, saturday.plusDays(2), Kind.RELATIVE);
  }

  /// The Saturday of the last weekend that is over.
  private LocalDate lastWeekend() {
    return context.today().with(TemporalAdjusters.previous(DayOfWeek.SUNDAY)).minusDays(1);
  }

  private TimeRange theWeekend() {
    boolean now = context.today().getDayOfWeek().getValue() >= DayOfWeek.SATURDAY.getValue();
    return now
        ? weekend(context.today().with(TemporalAdjusters.previousOrSame(DayOfWeek.SATURDAY)))
        : weekend(lastWeekend());
  }
}
