package dev.agentmemory.search.internal.time;

import dev.agentmemory.search.internal.time.TimeRange.Kind;
import dev.agentmemory.search.internal.time.TimeRange.Read;
import dev.agentmemory.types.EventKey;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/// Finds the times that an English text names, relative to the current time of the query. It uses
/// rules only: the same text, time and zone give the same times. docs/search.md lists what is read.
///
/// Ambiguous wordings ("may I", "the march on", "2022 lines") are not read. An overlooked time
/// costs little, a wrong one hides what was searched for.
public final class TimeWords {

  /// Nothing has been said before.
  private static final Instant BEGINNING = Instant.EPOCH;

  /// The last that a time of thirteen digits can hold.
  private static final Instant END = Instant.ofEpochMilli(EventKey.LAST_MILLIS);

  private static final Instant EARLIEST =
      LocalDate.of(TimeVocabulary.FIRST_YEAR, 1, 1).atStartOfDay(ZoneOffset.MAX).toInstant();

  /// Longest time that something happens "on".
  private static final Duration WEEKEND = Duration.ofDays(3);

  private final TimeWording words;
  private final QueryContext context;
  private final Periods periods;

  private TimeWords(String text, QueryContext context) {
    this.words = new TimeWording(text);
    this.context = context;
    this.periods = new Periods(words, context);
  }

  /// The times in a text, in its order; they do not overlap. None when the present is before 1970
  /// or beyond the times that an event can have.
  ///
  /// @param zone in which days begin
  /// @param now the current time of the query
  public static List<NamedTime> read(String text, ZoneId zone, Instant now) {
    return isNow(now) ? new TimeWords(text, new QueryContext(zone, now)).all() : List.of();
  }

  /// The period that a text is a name of, as a whole: "yesterday", "March 2023", "Monday". Nothing
  /// of what bounds a time ("since March") or has more words.
  static Optional<NamedTime> readOne(String text, ZoneId zone, Instant now) {
    if (!isNow(now)) {
      return Optional.empty();
    }
    TimeWords reading = new TimeWords(text, new QueryContext(zone, now));
    return reading
        .period(0, true)
        .filter(read -> read.next() == reading.words.size())
        .flatMap(read -> reading.named(0, read, true));
  }

  private static boolean isNow(Instant now) {
    return !now.isBefore(BEGINNING) && !now.isAfter(END);
  }

  private List<NamedTime> all() {
    List<NamedTime> found = new ArrayList<>();
    int i = 0;
    while (i < words.size()) {
      Optional<Found> one = expression(i);
      if (one.isPresent()) {
        found.add(one.get().time());
        i = one.get().next();
      } else {
        i++;
      }
    }
    return found;
  }

  /// @param next the first word after it
  private record Found(NamedTime time, int next) {}

  private Optional<Found> expression(int i) {
    Optional<Found> found =
        switch (words.at(i)) {
          case "between" -> range(i, "and");
          case "from" -> range(i, "to", "until", "till", "through").or(() -> soft(i, from(i)));
          case "since" -> since(i);
          case "before", "until", "till" -> before(i);
          case "after" -> after(i);
          case "on" -> on(i);
          case "in", "during", "throughout", "around" -> soft(i, period(i + 1, true));
          case "of" ->
              TimeVocabulary.year(words.at(i + 1)).isPresent()
                  ? soft(i, period(i + 1, true))
                  : Optional.empty();
          default -> Optional.empty();
        };
    return found.or(() -> soft(i, period(i, false)));
  }

  private Optional<Read> period(int i, boolean meant) {
    return period(i, meant, context.today());
  }

  private Optional<Read> period(int i, boolean meant, LocalDate anchor) {
    try {
      return periods.at(i, meant, anchor);
    } catch (DateTimeException e) {
      // So many years ago that there is no such year.
      return Optional.empty();
    }
  }

  /// A letter from June may be one from a woman.
  private Optional<Read> from(int i) {
    return period(i + 1, !TimeVocabulary.isName(words.at(i + 1)));
  }

  private Optional<Found> soft(int i, Optional<Read> read) {
    return read.flatMap(found -> found(i, found, false));
  }

  private Optional<Found> found(int i, Read read, boolean hard) {
    return named(i, read, hard).map(time -> new Found(time, read.next()));
  }

  private Optional<NamedTime> named(int i, Read read, boolean hard) {
    TimeRange range = read.range();
    if (range.from().isBefore(EARLIEST) || !range.from().isBefore(range.until())) {
      return Optional.empty();
    }
    return Optional.of(
        new NamedTime(
            range.from(),
            range.until(),
            words.start(i),
            words.end(read.next() - 1),
            range.absolute(),
            hard));
  }

  private Optional<Found> on(int i) {
    return period(i + 1, true)
        .filter(read -> length(read.range()).compareTo(WEEKEND) <= 0)
        .flatMap(read -> {
          boolean date =
              switch (read.range().kind()) {
                case DATE, YEARLESS -> true;
                case YEARLY, WEEKDAY, RELATIVE -> false;
              };
          return found(i, read, date);
        });
  }

  private static Duration length(TimeRange range) {
    return Duration.between(range.from(), range.until());
  }

  private Optional<Found> since(int i) {
    return period(i + 1, true)
        .flatMap(read -> bound(i, read, read.range().from(), upTo(read.range().from())));
  }

  private Optional<Found> after(int i) {
    return period(i + 1, true)
        .flatMap(read -> bound(i, read, read.range().until(), upTo(read.range().until())));
  }

  private Optional<Found> before(int i) {
    return period(i + 1, true).flatMap(read -> bound(i, read, BEGINNING, read.range().from()));
  }

  /// The end of the current day; what begins later has no end.
  private Instant upTo(Instant from) {
    Instant tomorrow = context.start(context.today().plusDays(1));
    return from.isBefore(tomorrow) ? tomorrow : END;
  }

  private Optional<Found> bound(int i, Read read, Instant from, Instant until) {
    TimeRange range = new TimeRange(from, until, read.range().kind());
    return found(i, new Read(range, read.next()), true);
  }

  /// "Between March and May 2023", "from Monday to Thursday", "between 5 and 10 May".
  private Optional<Found> range(int i, String... joints) {
    OptionalInt day = TimeVocabulary.day(words.at(i + 1));
    if (day.isPresent() && words.is(i + 2, joints)) {
      return period(i + 3, true)
          .filter(last -> TimeVocabulary.day(words.at(i + 3)).isPresent())
          .flatMap(last -> days(i, day.getAsInt(), last));
    }
    return period(i + 1, true)
        .filter(first -> words.is(first.next(), joints))
        .flatMap(first -> period(first.next() + 1, true).flatMap(last -> range(i, first, last)));
  }

  private Optional<Found> days(int i, int day, Read last) {
    LocalDate end = context.date(last.range().from());
    if (day >= end.getDayOfMonth()) {
      return Optional.empty();
    }
    Instant from = context.start(end.withDayOfMonth(day));
    TimeRange range = new TimeRange(from, last.range().until(), last.range().kind());
    return found(i, new Read(range, last.next()), true);
  }

  /// An end without a year takes it from the other one; weekdays follow each other.
  private Optional<Found> range(int i, Read first, Read last) {
    TimeRange one = first.range();
    TimeRange other = last.range();
    boolean later = one.from().isAfter(other.from());
    if (one.kind() == Kind.YEARLESS || (one.kind() == Kind.WEEKDAY && later)) {
      one = period(i + 1, true, context.date(other.from())).map(Read::range).orElse(one);
    } else if (other.kind() == Kind.YEARLESS && one.absolute()) {
      LocalDate within = context.date(one.from()).plusYears(1).minusDays(1);
      other = period(first.next() + 1, true, within).map(Read::range).orElse(other);
    }
    Kind kind = one.absolute() || other.absolute() ? Kind.YEARLY : Kind.RELATIVE;
    return found(i, new Read(new TimeRange(one.from(), other.until(), kind), last.next()), true);
  }
}
