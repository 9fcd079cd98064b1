package dev.agentmemory.daemon.config;

import dev.agentmemory.engine.config.SummarizerConfig;
import dev.agentmemory.engine.config.WorkspacesConfig;
import dev.agentmemory.pipeline.job.JobsConfig;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Reads values as people write them: `30m`, `64MiB`, `Europe/Paris`.
final class Readers {

  private static final Pattern DURATION_PART = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");
  private static final Map<String, Duration> UNITS =
      Map.of(
          "ms", Duration.ofMillis(1),
          "s", Duration.ofSeconds(1),
          "m", Duration.ofMinutes(1),
          "h", Duration.ofHours(1),
          "d", Duration.ofDays(1));

  private static final Pattern SIZE = Pattern.compile("(\\d{1,12})\\s*(|b|kib|mib|gib|kb|mb|gb)");
  private static final Map<String, Long> FACTORS =
      Map.of(
          "",
          1L,
          "b",
          1L,
          "kib",
          1L << 10,
          "mib",
          1L << 20,
          "gib",
          1L << 30,
          "kb",
          1_000L,
          "mb",
          1_000_000L,
          "gb",
          1_000_000_000L);

  private static final Pattern LOOPBACK_V4 =
      Pattern.compile("127(\\.(\\d|[1-9]\\d|1\\d\\d|2[0-4]\\d|25[0-5])){3}");

  /// Says that an optional setting has no value.
  static final String NONE = "none";

  private static final Pattern MODEL = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,127}");
  private static final Pattern VARIABLE = Pattern.compile("[A-Z_][A-Z0-9_]{0,127}");

  private Readers() {}

  static Setting<Integer> whole(String key, String byDefault, int least, int most, String meaning) {
    String range = least + " to " + most;
    return new Setting<>(
        key,
        Setting.Form.WHOLE,
        byDefault,
        range,
        meaning,
        text -> {
          if (!text.matches("\\d{1,18}")) {
            throw new IllegalArgumentException("expected a whole number, " + range);
          }
          long number = Long.parseLong(text);
          return (int) within(number, least, most, range);
        });
  }

  static Setting<Duration> duration(
      String key, String byDefault, String least, String most, String meaning) {
    String range = least + " to " + most;
    Duration floor = parseDuration(least);
    Duration ceiling = parseDuration(most);
    return new Setting<>(
        key,
        byDefault,
        range,
        meaning,
        text -> {
          Duration value = parseDuration(text);
          if (value.compareTo(floor) < 0 || value.compareTo(ceiling) > 0) {
            throw new IllegalArgumentException("is outside " + range);
          }
          return value;
        });
  }

  /// A duration, or 0s for never.
  static Setting<Duration> durationOrNever(
      String key, String byDefault, String least, String most, String meaning) {
    Setting<Duration> setting = duration(key, byDefault, least, most, meaning);
    return new Setting<>(
        key,
        byDefault,
        "0s, or " + setting.range(),
        meaning,
        text -> parseDuration(text).isZero() ? Duration.ZERO : setting.parse(text));
  }

  static Setting<Long> size(
      String key, String byDefault, String least, String most, String meaning) {
    String range = least + " to " + most;
    long floor = parseSize(least);
    long ceiling = parseSize(most);
    return new Setting<>(
        key,
        Setting.Form.SIZE,
        byDefault,
        range,
        meaning,
        text -> within(parseSize(text), floor, ceiling, range));
  }

  static Setting<String> cron(String key, String byDefault, String meaning) {
    return new Setting<>(key, byDefault, "a cron expression", meaning, JobsConfig::cron);
  }

  /// True or false; a file may quote it or not.
  static Setting<Boolean> onOff(String key, String byDefault, String meaning) {
    return new Setting<>(
        key,
        Setting.Form.SWITCH,
        byDefault,
        "true or false",
        meaning,
        text ->
            switch (text.toLowerCase(Locale.ROOT)) {
              case "true" -> true;
              case "false" -> false;
              default -> throw new IllegalArgumentException("expected true or false");
            });
  }

  /// A choice between two words; the value says whether it is the default one.
  static Setting<Boolean> either(String key, String byDefault, String other, String meaning) {
    return new Setting<>(
        key,
        byDefault,
        byDefault + " or " + other,
        meaning,
        text -> {
          String word = text.toLowerCase(Locale.ROOT);
          if (!word.equals(byDefault) && !word.equals(other)) {
            throw new IllegalArgumentException("expected " + byDefault + " or " + other);
          }
          return word.equals(byDefault);
        });
  }

  /// A choice between the names of an enum's values, in lower case.
  static <E extends Enum<E>> Setting<E> oneOf(
      String key, E byDefault, Class<E> type, String meaning) {
    List<String> words = Stream.of(type.getEnumConstants()).map(Readers::word).toList();
    int last = words.size() - 1;
    String range = String.join(", ", words.subList(0, last)) + " or " + words.get(last);
    return new Setting<>(
        key,
        word(byDefault),
        range,
        meaning,
        text ->
            Stream.of(type.getEnumConstants())
                .filter(value -> word(value).equals(text.toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("expected " + range)));
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  /// What may be left out, by saying `none`.
  static <T> Setting<Optional<T>> optional(
      String key, String range, String meaning, Function<String, T> parser) {
    return new Setting<>(
        key,
        NONE,
        range,
        meaning,
        text -> text.equals(NONE) ? Optional.empty() : Optional.of(parser.apply(text)));
  }

  static String name(String text) {
    if (!WorkspacesConfig.NAME.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "expected 1 to 64 of a-z, 0-9, dot, hyphen, underscore, the first a letter or digit");
    }
    return text;
  }

  /// What asks for `local` gets Ollama.
  static Setting<SummarizerConfig.Provider> provider(String key, String meaning) {
    String range = "extractive, openai, anthropic, ollama or local";
    return new Setting<>(
        key,
        SummarizerConfig.DEFAULT.provider().word(),
        range,
        meaning,
        text -> {
          String word = text.toLowerCase(Locale.ROOT);
          String name = word.equals("local") ? SummarizerConfig.Provider.OLLAMA.word() : word;
          return Stream.of(SummarizerConfig.Provider.values())
              .filter(provider -> provider.word().equals(name))
              .findFirst()
              .orElseThrow(() -> new IllegalArgumentException("expected " + range));
        });
  }

  /// A number that may be left out, by saying `none`.
  static Setting<Optional<Integer>> wholeOrNone(String key, int least, int most, String meaning) {
    String range = least + " to " + most + ", or none";
    return new Setting<>(
        key,
        Setting.Form.WHOLE_OR_NONE,
        NONE,
        range,
        meaning,
        text -> {
          if (text.equals(NONE)) {
            return Optional.empty();
          }
          if (!text.matches("\\d{1,18}")) {
            throw new IllegalArgumentException("expected a whole number, " + range);
          }
          return Optional.of((int) within(Long.parseLong(text), least, most, range));
        });
  }

  static String model(String text) {
    if (!MODEL.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "expected the name of a model, up to 128 letters, digits and . _ : / @ + -");
    }
    return text;
  }

  static String variableName(String text) {
    if (!VARIABLE.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "expected the name of an environment variable, such as OPENAI_API_KEY, not the key");
    }
    return text;
  }

  static URI webAddress(String text) {
    try {
      var address = new URI(text);
      boolean web = "https".equals(address.getScheme()) || "http".equals(address.getScheme());
      if (web && address.getHost() != null) {
        return address;
      }
    } catch (URISyntaxException e) {
      // Told below, without the text: it may hold a password.
    }
    throw new IllegalArgumentException("expected an address that starts with https:// or http://");
  }

  /// `~/` is the user's home, also where no shell has seen it.
  static Path path(String text) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException("expected a directory");
    }
    if (text.startsWith("~") && !text.equals("~") && !text.startsWith("~/")) {
      throw new IllegalArgumentException(
          "expected ~/ or an absolute path: home directories of other users are not supported");
    }
    return text.startsWith("~")
        ? Path.of(System.getProperty("user.home"), text.substring(1))
        : Path.of(text);
  }

  /// A daemon that a service manager starts is in no folder that a person would expect.
  static Path wholePath(String text) {
    Path path = path(text);
    if (!path.isAbsolute()) {
      throw new IllegalArgumentException(
          "expected an absolute path, such as /mnt/backups or ~/backups");
    }
    return path.normalize();
  }

  static String loopback(String text) {
    if (text.equals("localhost") || text.equals("::1") || LOOPBACK_V4.matcher(text).matches()) {
      return text;
    }
    throw new IllegalArgumentException(
        "expected 127.0.0.1, ::1 or localhost: any other address needs TLS, which this version"
            + " does not have");
  }

  /// Spellings of one fixed offset (`UTC`, `Z`, `GMT+0`) are one zone: a store compares the zone
  /// that it was made with.
  static ZoneId zone(String text) {
    try {
      return ZoneId.of(text).normalized();
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("expected a zone id such as UTC or Europe/Paris", e);
    }
  }

  static Duration parseDuration(String text) {
    Matcher part = DURATION_PART.matcher(text);
    Duration sum = Duration.ZERO;
    int at = 0;
    while (at < text.length() && part.find(at) && part.start() == at) {
      Duration unit = UNITS.getOrDefault(part.group(2), Duration.ZERO);
      sum = sum.plus(unit.multipliedBy(Long.parseLong(part.group(1))));
      at = part.end();
    }
    if (at == 0 || at < text.length()) {
      throw new IllegalArgumentException("expected a duration such as 500ms, 30m or 1h30m");
    }
    return sum;
  }

  static long parseSize(String text) {
    Matcher size = SIZE.matcher(text.toLowerCase(Locale.ROOT));
    if (!size.matches()) {
      throw new IllegalArgumentException("expected a size such as 64MiB or 1GiB");
    }
    long factor = FACTORS.getOrDefault(size.group(2), 1L);
    return BigDecimal.valueOf(Long.parseLong(size.group(1)))
        .multiply(BigDecimal.valueOf(factor))
        .min(BigDecimal.valueOf(Long.MAX_VALUE))
        .longValue();
  }

  private static long within(long number, long least, long most, String range) {
    if (number < least || number > most) {
      throw new IllegalArgumentException("is outside " + range);
    }
    return number;
  }
}
