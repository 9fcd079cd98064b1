package dev.agentmemory.toc.internal.check;

import dev.agentmemory.text.Lexicon;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The numbers of a text and the units that stand behind them: 40 ms are not 40 s.
///
/// @param units of each number, "" where none stands behind it, "?" where some other word does
record Measures(Map<String, Set<String>> units) {

  private static final String UNIT = "(?:[ -]?(?<unit>%|[$€£¥₹]|°?[a-zμ]+))?";

  /// Bounded, since Java's expressions recurse for each repetition of a group.
  private static final Pattern NUMBER =
      Pattern.compile("(?:(?<currency>[$€£¥₹]) ?)?(?<number>\\d+(?:[.,:]\\d+){0,9})" + UNIT);

  /// What a minus stands behind; behind a word or a number it only joins.
  private static final Pattern MINUS =
      Pattern.compile("(?:(?:^|[\\s(\\[{=:\"'|/,])-|\\bminus )[$€£¥₹]?$");

  private static final Pattern THOUSANDS = Pattern.compile("\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?");
  private static final Pattern WORD = Pattern.compile("\\p{L}+");

  /// What may stand between a number word and its unit, or between the parts of a number.
  private static final Pattern JOINED = Pattern.compile("[ -]");

  /// Prefix of the unit of an incidental number: `a minute`, or `one` of them. It needs no
  /// evidence, but is evidence.
  private static final String BY_THE_WAY = "~";

  /// Behind these the unit follows later: `5 to 10 minutes`.
  private static final Set<String> BETWEEN = Set.of("to", "or", "and", "bis", "oder", "und", "x");

  /// The unit of a number that no unit stands behind, but a word.
  private static final String OTHER = "?";

  private static final Set<String> SCALES = Set.of("k", "million", "bn");

  private static final Lexicon WORDS = Lexicon.beside(Measures.class, "measures.txt");
  private static final Map<String, String> UNITS = WORDS.keys("unit");
  private static final List<String> SMALL = List.copyOf(WORDS.words("small"));
  private static final List<String> TENS = List.copyOf(WORDS.words("tens"));

  private static final String HALF = "0.5";

  static Measures of(String folded) {
    var units = new HashMap<String, Set<String>>();
    Matcher number = NUMBER.matcher(folded);
    while (number.find()) {
      String digits = number.group("number");
      String value = THOUSANDS.matcher(digits).matches() ? digits.replace(",", "") : digits;
      String before = folded.substring(Math.max(0, number.start() - 8), number.start("number"));
      String sign = MINUS.matcher(before).find() ? "-" : "";
      String unit = unit(number.group("unit"));
      @Nullable String currency = number.group("currency");
      boolean plain = unit.isEmpty() || unit.equals(OTHER);
      add(units, sign + value, currency == null || !plain ? unit : unit(currency));
      if (currency != null && !plain) {
        // Of $5 million both hold.
        add(units, sign + value, unit(currency));
      }
    }
    words(folded, units);
    return new Measures(Map.copyOf(units));
  }

  private static String unit(@Nullable String written) {
    return written == null || BETWEEN.contains(written) ? "" : UNITS.getOrDefault(written, OTHER);
  }

  /// Numbers in words up to 999, such as `twenty-five`, and `half`.
  private static void words(String folded, Map<String, Set<String>> units) {
    int value = -1;
    int end = 0;
    String before = "";
    Matcher word = WORD.matcher(folded);
    while (word.find()) {
      String one = word.group();
      int small = SMALL.indexOf(one);
      int tens = TENS.indexOf(one);
      boolean joined = value >= 0 && JOINED.matcher(folded.substring(end, word.start())).matches();
      if (joined && small > 0 && small < 10 && value >= 20 && value % 10 == 0) {
        value += small;
      } else if (joined && one.equals("hundred") && value > 0 && value < 10) {
        value *= 100;
      } else if (joined && one.equals("dozen") && value > 0) {
        value *= 12;
      } else {
        if (value >= 0) {
          said(units, value, joined ? unit(one) : "");
        }
        value = small >= 0 ? small : tens >= 0 ? 10 * (tens + 2) : one.equals("dozen") ? 12 : -1;
        if (one.equals("half")) {
          add(units, HALF, "");
        }
        if ((before.equals("a") || before.equals("an")) && UNITS.containsKey(one)) {
          add(units, "1", BY_THE_WAY + unit(one));
        }
      }
      end = word.end();
      before = one;
    }
    if (value >= 0) {
      said(units, value, "");
    }
  }

  private static void said(Map<String, Set<String>> units, int value, String unit) {
    boolean pronoun = value == 1 && (unit.isEmpty() || unit.equals(OTHER));
    add(units, Integer.toString(value), pronoun ? BY_THE_WAY + OTHER : unit);
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

  /// Whether every number of another text is here too. A unit may be missing, but not be another
  /// one than here, nor be made up where a word of another kind stands.
  boolean bear(Measures claimed) {
    return claimed.units.entrySet().stream()
        .allMatch(entry -> {
          Set<String> known = new HashSet<>();
          units
              .getOrDefault(entry.getKey(), Set.of())
              .forEach(unit -> known.add(unit.replace(BY_THE_WAY, "")));
          return entry.getValue().stream()
              .allMatch(unit -> unit.startsWith(BY_THE_WAY) || isBorne(unit, known));
        });
  }

  /// @param known the units of the same number
  private static boolean isBorne(String unit, Set<String> known) {
    if (unit.isEmpty() || unit.equals(OTHER)) {
      return !SCALES.containsAll(known);
    }
    return known.contains(unit) || known.equals(Set.of(""));
  }
}
