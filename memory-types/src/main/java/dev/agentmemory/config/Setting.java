package dev.agentmemory.config;

import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;

/// The declaration of one setting. The record that uses the value declares it; the default, the
/// range and the description stand nowhere else.
///
/// @param key name in flags and files, such as `toc.zone`
/// @param form type of the value in a file
/// @param defaultText the value if it is not set, as a user would write it
/// @param range which values are possible, in readable form
/// @param meaning description for docs/configuration.md
/// @param parser reads a value; throws `IllegalArgumentException` saying what would be right
/// @param validator throws `IllegalArgumentException` if a value is not possible
public record Setting<T>(
    String key,
    Form form,
    String defaultText,
    String range,
    String meaning,
    Function<String, T> parser,
    Consumer<T> validator) {

  /// Says that an optional setting has no value.
  public static final String NONE = "none";

  /// What a value is in a file, where text and numbers are not the same.
  public enum Form {
    TEXT("text in quotes"),
    SWITCH("true or false without quotes"),
    WHOLE("a whole number without quotes"),
    WHOLE_OR_NONE("a whole number without quotes, or \"none\""),
    DECIMAL("a number without quotes"),
    SIZE("a size in quotes such as \"64MiB\", or a whole number of bytes");

    private final String inFile;

    Form(String inFile) {
      this.inFile = inFile;
    }

    /// What is expected in a file.
    public String inFile() {
      return inFile;
    }

    /// @param value as a file has it
    public boolean fits(Object value) {
      return switch (this) {
        case TEXT -> value instanceof String;
        case SWITCH -> value instanceof Boolean || value instanceof String;
        case WHOLE -> value instanceof Long;
        case DECIMAL -> value instanceof Long || value instanceof Double;
        case SIZE, WHOLE_OR_NONE -> value instanceof Long || value instanceof String;
      };
    }
  }

  /// A setting whose parser accepts possible values only.
  public Setting(String key, String defaultText, String range, Function<String, T> parser) {
    this(key, Form.TEXT, defaultText, range, "", parser, _ -> {});
  }

  /// @param range such as `1 to 1000`
  public static Setting<Integer> whole(String key, int byDefault, String range) {
    String text = Integer.toString(byDefault);
    return ranged(key, Form.WHOLE, text, range, value -> ValueParser.whole(value, range));
  }

  /// A number that need not be whole.
  ///
  /// @param range such as `0 to 1`
  public static Setting<Double> decimal(String key, String byDefault, String range) {
    return ranged(key, Form.DECIMAL, byDefault, range, text -> ValueParser.decimal(text, range));
  }

  /// A number that can be left out.
  ///
  /// @param range such as `1 to 1000, or none`
  public static Setting<Optional<Integer>> wholeOrNone(String key, String range) {
    Setting<Integer> number = whole(key, 0, range);
    return new Setting<>(
        key,
        Form.WHOLE_OR_NONE,
        NONE,
        range,
        "",
        text -> text.equals(NONE) ? Optional.empty() : Optional.of(number.parse(text)),
        value -> value.ifPresent(number.validator));
  }

  /// @param range such as `0s to 1h30m`
  public static Setting<Duration> duration(String key, String byDefault, String range) {
    return ranged(key, Form.TEXT, byDefault, range, ValueParser::duration);
  }

  /// A duration, or 0s for never.
  ///
  /// @param range of durations other than 0s
  public static Setting<Duration> durationOrNever(String key, String byDefault, String range) {
    Consumer<Duration> bounds = duration(key, byDefault, range).validator;
    return new Setting<>(
        key,
        Form.TEXT,
        byDefault,
        "0s, or " + range,
        "",
        ValueParser::duration,
        value -> {
          if (!value.isZero()) {
            bounds.accept(value);
          }
        });
  }

  /// A number of bytes.
  ///
  /// @param range such as `1MiB to 64GiB`
  public static Setting<Long> size(String key, String byDefault, String range) {
    return ranged(key, Form.SIZE, byDefault, range, ValueParser::size);
  }

  private static <C extends Comparable<C>> Setting<C> ranged(
      String key, Form form, String byDefault, String range, Function<String, C> parser) {
    String[] ends = range.split(" to |,", 3);
    C least = parser.apply(ends[0]);
    C most = parser.apply(ends[1]);
    return new Setting<>(
        key,
        form,
        byDefault,
        range,
        "",
        parser,
        value -> {
          if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException("is outside " + range);
          }
        });
  }

  /// True or false; a file may quote it or not.
  public static Setting<Boolean> onOff(String key, boolean byDefault) {
    String text = Boolean.toString(byDefault);
    return choice(key, Form.SWITCH, text, List.of("true", "false"), List.of(true, false));
  }

  /// A choice between two words; the value says whether it is the other one.
  public static Setting<Boolean> either(String key, String byDefault, String other) {
    return choice(key, Form.TEXT, byDefault, List.of(byDefault, other), List.of(false, true));
  }

  /// A choice between the names of an enum's values, in lower case and with `-` for `_`.
  public static <E extends Enum<E>> Setting<E> oneOf(String key, E byDefault) {
    return oneOf(key, byDefault, Map.of());
  }

  /// The same with further names, which are listed in the order of the alphabet.
  public static <E extends Enum<E>> Setting<E> oneOf(
      String key, E byDefault, Map<String, E> aliases) {
    List<E> values = new ArrayList<>(EnumSet.allOf(byDefault.getDeclaringClass()));
    List<String> words = new ArrayList<>(values.stream().map(Setting::word).toList());
    new TreeMap<>(aliases)
        .forEach((alias, value) -> {
          words.add(alias);
          values.add(value);
        });
    return choice(key, Form.TEXT, word(byDefault), words, values);
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /// @param values of the words, in the same order
  private static <T> Setting<T> choice(
      String key, Form form, String byDefault, List<String> words, List<T> values) {
    int last = words.size() - 1;
    String range = String.join(", ", words.subList(0, last)) + " or " + words.get(last);
    Function<String, T> parser =
        text -> {
          int at = words.indexOf(text.toLowerCase(Locale.ROOT));
          if (at < 0) {
            throw new IllegalArgumentException("expected " + range);
          }
          return values.get(at);
        };
    return new Setting<>(key, form, byDefault, range, "", parser, _ -> {});
  }

  /// A text that is taken as it is.
  ///
  /// @param validator throws `IllegalArgumentException` saying what would be right
  public static Setting<String> text(
      String key, String byDefault, String range, Consumer<String> validator) {
    return new Setting<>(key, Form.TEXT, byDefault, range, "", text -> text, validator);
  }

  /// What can be left out, by saying `none`.
  public static <T> Setting<Optional<T>> optional(
      String key, String range, Function<String, T> parser) {
    return new Setting<>(
        key,
        NONE,
        range,
        text -> text.equals(NONE) ? Optional.empty() : Optional.of(parser.apply(text)));
  }

  /// A time zone, by default UTC.
  public static Setting<ZoneId> zone(String key) {
    return new Setting<>(key, "UTC", "a zone id such as `Europe/Paris`", ValueParser::zone);
  }

  /// The same setting with its description.
  public Setting<T> describedAs(String changed) {
    return new Setting<>(key, form, defaultText, range, changed, parser, validator);
  }

  /// The environment variable that sets it: `toc.zone` is `MEMORY_TOC_ZONE`.
  public String variable() {
    return "MEMORY_" + key.toUpperCase(Locale.ROOT).replace('.', '_');
  }

  /// Reads a value.
  ///
  /// @throws IllegalArgumentException saying what would be right
  public T parse(String text) {
    T value = parser.apply(text.strip());
    validator.accept(value);
    return value;
  }

  /// Checks a value that was not read from text.
  ///
  /// @throws IllegalArgumentException naming the key
  public void check(T value) {
    try {
      validator.accept(value);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(key + ": " + value + ": " + e.getMessage(), e);
    }
  }
}
