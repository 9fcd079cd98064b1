package dev.agentmemory.toc.summary.model;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The numbers of a text and the units that stand behind them: 40 ms are not 40 s.
///
/// @param units of each number, "" where none stands behind it
record Measures(Map<String, Set<String>> units) {

  /// Bounded, since Java's expressions recurse for each repetition of a group.
  private static final Pattern NUMBER =
      Pattern.compile("(?<number>\\d+(?:[.,:]\\d+){0,9})(?: ?(?<unit>%|[a-zµμ]+))?");

  private static final Pattern THOUSANDS = Pattern.compile("\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?");
  private static final Pattern WORD = Pattern.compile("\\p{L}+");

  private static final Map<String, String> UNITS =
      table(
          "% percent",
          "ms millisecond milliseconds millis",
          "us µs μs microsecond microseconds",
          "s sec secs second seconds",
          "min mins minute minutes",
          "h hr hrs hour hours",
          "day days",
          "week weeks",
          "month months",
          "year years",
          "b byte bytes",
          "kb kib kilobyte kilobytes",
          "mb mib megabyte megabytes",
          "gb gib gigabyte gigabytes",
          "tb tib terabyte terabytes",
          "k thousand",
          "million millions",
          "bn billion billions",
          "dollar dollars usd",
          "euro euros eur",
          "km",
          "cm",
          "mm",
          "kg",
          "mph",
          "am",
          "pm");

  private static final Map<String, String> WORDS =
      Map.ofEntries(
          Map.entry("two", "2"),
          Map.entry("three", "3"),
          Map.entry("four", "4"),
          Map.entry("five", "5"),
          Map.entry("six", "6"),
          Map.entry("seven", "7"),
          Map.entry("eight", "8"),
          Map.entry("nine", "9"),
          Map.entry("ten", "10"),
          Map.entry("eleven", "11"),
          Map.entry("twelve", "12"),
          Map.entry("twenty", "20"),
          Map.entry("thirty", "30"),
          Map.entry("forty", "40"),
          Map.entry("fifty", "50"),
          Map.entry("sixty", "60"),
          Map.entry("seventy", "70"),
          Map.entry("eighty", "80"),
          Map.entry("ninety", "90"),
          Map.entry("hundred", "100"),
          Map.entry("dozen", "12"));

  private static Map<String, String> table(String... lines) {
    var table = new HashMap<String, String>();
    for (String line : lines) {
      String[] spellings = line.split(" ", -1);
      for (String spelling : spellings) {
        table.put(spelling, spellings[0]);
      }
    }
    return Map.copyOf(table);
  }

  static Measures of(String folded) {
    var units = new HashMap<String, Set<String>>();
    Matcher number = NUMBER.matcher(folded);
    while (number.find()) {
      String digits = number.group("number");
      String value = THOUSANDS.matcher(digits).matches() ? digits.replace(",", "") : digits;
      String unit = number.group("unit");
      add(units, value, unit == null ? "" : UNITS.getOrDefault(unit, ""));
    }
    Matcher word = WORD.matcher(folded);
    while (word.find()) {
      String value = WORDS.get(word.group());
      if (value != null) {
        add(units, value, "");
      }
    }
    return new Measures(Map.copyOf(units));
  }

  /// Those of several texts together.
  static Measures joined(List<Measures> parts) {
    var units = new HashMap<String, Set<String>>();
    for (Measures part : parts) {
      part.units.forEach((value, more) -> more.forEach(unit -> add(units, value, unit)));
    }
    return new Measures(units);
  }

  private static void add(Map<String, Set<String>> units, String value, String unit) {
    units.computeIfAbsent(value, _ -> new HashSet<>()).add(unit);
  }

  /// Whether every number of another text is here too. A unit may be missing on either side, but
  /// not be another one.
  boolean bear(Measures claimed) {
    return claimed.units.entrySet().stream()
        .allMatch(entry -> {
          Set<String> known = units.getOrDefault(entry.getKey(), Set.of());
          return !known.isEmpty()
              && (known.contains("")
                  || entry.getValue().stream()
                      .allMatch(unit -> unit.isEmpty() || known.contains(unit)));
        });
  }
}
