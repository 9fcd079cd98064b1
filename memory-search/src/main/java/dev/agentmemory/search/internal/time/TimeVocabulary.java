package dev.agentmemory.search.internal.time;

import dev.agentmemory.text.Lexicon;
import java.time.DayOfWeek;
import java.time.Month;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The words of which names of times are made, in lower case.
final class TimeVocabulary {

  /// First and last year that is read as one.
  static final int FIRST_YEAR = 1900;

  static final int LAST_YEAR = 2100;

  /// Most units of "units ago".
  static final int MAX_COUNT = 9999;

  /// A unit of time.
  enum Unit {
    MINUTE,
    HOUR,
    DAY,
    WEEK,
    WEEKEND,
    MONTH,
    QUARTER,
    YEAR
  }

  /// An inclusive range of numbers: "a few" is no single one.
  record Count(int low, int high) {}

  private static final Map<String, Month> MONTHS = months();
  private static final Map<String, DayOfWeek> WEEKDAYS = weekdays();
  private static final Map<String, Unit> UNITS = units();
  private static final Lexicon WORDS = Lexicon.beside(TimeVocabulary.class, "times.txt");
  private static final Map<String, String> NUMBERS = WORDS.keys("number");
  private static final Map<String, String> ORDINALS = WORDS.keys("ordinal");
  private static final Set<String> ABBREVIATED_MONTHS = WORDS.words("abbreviated month");

  /// Months that are also ordinary words.
  private static final Set<String> VERBS = Set.of("may", "march", "mar", "sep", "dec");

  /// Months that are also people.
  private static final Set<String> NAMES = Set.of("april", "may", "june", "august", "jan");

  private static final Pattern YEAR = Pattern.compile("\\d{4}");
  private static final Pattern DAY = Pattern.compile("(\\d{1,2})(st|nd|rd|th)?");
  private static final Pattern DIGITS = Pattern.compile("\\d{1,4}");
  private static final Pattern NUMBERED_QUARTER = Pattern.compile("q([1-4])");

  private TimeVocabulary() {}

  static Optional<Month> month(String word) {
    return Optional.ofNullable(MONTHS.get(word));
  }

  static boolean isVerb(String month) {
    return VERBS.contains(month);
  }

  static boolean isName(String month) {
    return NAMES.contains(month);
  }

  /// Whether a full stop may end it.
  static boolean isAbbreviated(String month) {
    return ABBREVIATED_MONTHS.contains(month);
  }

  static Optional<DayOfWeek> weekday(String word) {
    return Optional.ofNullable(WEEKDAYS.get(word));
  }

  /// One or many of them.
  static Optional<DayOfWeek> weekdays(String word) {
    return weekday(word)
        .or(() ->
            word.endsWith("days")
                ? weekday(word.substring(0, word.length() - 1))
                : Optional.empty());
  }

  static Optional<Unit> unit(String word) {
    return word.endsWith("s") ? Optional.empty() : Optional.ofNullable(UNITS.get(word));
  }

  /// One or many of them.
  static Optional<Unit> units(String word) {
    return Optional.ofNullable(UNITS.get(word));
  }

  /// 1 to [#MAX_COUNT].
  static OptionalInt number(String word) {
    String digits = NUMBERS.getOrDefault(word, word);
    int value = DIGITS.matcher(digits).matches() ? Integer.parseInt(digits) : 0;
    return value > 0 ? OptionalInt.of(value) : OptionalInt.empty();
  }

  static OptionalInt year(String word) {
    if (!YEAR.matcher(word).matches()) {
      return OptionalInt.empty();
    }
    int year = Integer.parseInt(word);
    return year >= FIRST_YEAR && year <= LAST_YEAR ? OptionalInt.of(year) : OptionalInt.empty();
  }

  /// A day of a month, 1 to 31, with or without its ending.
  static OptionalInt day(String word) {
    Matcher day = DAY.matcher(word);
    if (!day.matches()) {
      return OptionalInt.empty();
    }
    int value = Integer.parseInt(day.group(1));
    return value >= 1 && value <= 31 ? OptionalInt.of(value) : OptionalInt.empty();
  }

  static boolean hasEnding(String day) {
    return !Character.isDigit(day.charAt(day.length() - 1));
  }

  /// 1 to 5, or -1 for the last.
  static OptionalInt ordinal(String word) {
    String ordinal = ORDINALS.get(word);
    return ordinal == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(ordinal));
  }

  static OptionalInt quarter(String word) {
    Matcher quarter = NUMBERED_QUARTER.matcher(word);
    return quarter.matches()
        ? OptionalInt.of(Integer.parseInt(quarter.group(1)))
        : OptionalInt.empty();
  }

  private static Map<String, Month> months() {
    Map<String, Month> months = new HashMap<>();
    for (Month month : Month.values()) {
      String name = month.name().toLowerCase(Locale.ROOT);
      months.put(name, month);
      months.put(name.substring(0, 3), month);
    }
    months.put("sept", Month.SEPTEMBER);
    return Map.copyOf(months);
  }

  /// The short forms of Saturday and Sunday are ordinary words.
  private static Map<String, DayOfWeek> weekdays() {
    Map<String, DayOfWeek> days = new HashMap<>();
    for (DayOfWeek day : DayOfWeek.values()) {
      days.put(day.name().toLowerCase(Locale.ROOT), day);
    }
    days.put("mon", DayOfWeek.MONDAY);
    days.put("tue", DayOfWeek.TUESDAY);
    days.put("tues", DayOfWeek.TUESDAY);
    days.put("wed", DayOfWeek.WEDNESDAY);
    days.put("thu", DayOfWeek.THURSDAY);
    days.put("thurs", DayOfWeek.THURSDAY);
    days.put("fri", DayOfWeek.FRIDAY);
    return Map.copyOf(days);
  }

  private static Map<String, Unit> units() {
    Map<String, Unit> units = new HashMap<>();
    for (Unit unit : Unit.values()) {
      String name = unit.name().toLowerCase(Locale.ROOT);
      units.put(name, unit);
      units.put(name + "s", unit);
    }
    return Map.copyOf(units);
  }
}
