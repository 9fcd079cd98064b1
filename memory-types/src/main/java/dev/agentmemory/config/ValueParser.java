package dev.agentmemory.config;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads values as people write them: `30m`, `64MiB`, `Europe/Paris`. Each method throws
/// `IllegalArgumentException` saying what would be right.
public final class ValueParser {

  private static final Pattern DURATION_PART = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");
  private static final Pattern DECIMAL =
      Pattern.compile("\\d{1,9}(\\.\\d{1,17})?([eE]-?\\d{1,2})?");
  private static final Pattern SIZE = Pattern.compile("(\\d{1,12})\\s*(|b|kib|mib|gib|kb|mb|gb)");

  private ValueParser() {}

  /// @param range to name in the message
  static int whole(String text, String range) {
    if (!text.matches("\\d{1,18}")) {
      throw new IllegalArgumentException("expected a whole number, " + range);
    }
    long number = Long.parseLong(text);
    if (number > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("is outside " + range);
    }
    return (int) number;
  }

  /// @param range to name in the message
  static double decimal(String text, String range) {
    if (!DECIMAL.matcher(text).matches()) {
      throw new IllegalArgumentException("expected a number, " + range);
    }
    return Double.parseDouble(text);
  }

  public static Duration duration(String text) {
    Matcher part = DURATION_PART.matcher(text);
    Duration sum = Duration.ZERO;
    int at = 0;
    while (at < text.length() && part.find(at) && part.start() == at) {
      sum = sum.plus(Long.parseLong(part.group(1)), unit(part.group(2)));
      at = part.end();
    }
    if (at == 0 || at < text.length()) {
      throw new IllegalArgumentException("expected a duration such as 500ms, 30m or 1h30m");
    }
    return sum;
  }

  private static ChronoUnit unit(String name) {
    return switch (name) {
      case "ms" -> ChronoUnit.MILLIS;
      case "s" -> ChronoUnit.SECONDS;
      case "m" -> ChronoUnit.MINUTES;
      case "h" -> ChronoUnit.HOURS;
      default -> ChronoUnit.DAYS;
    };
  }

  /// A number of bytes.
  public static long size(String text) {
    Matcher size = SIZE.matcher(text.toLowerCase(Locale.ROOT));
    if (!size.matches()) {
      throw new IllegalArgumentException("expected a size such as 64MiB or 1GiB");
    }
    return BigDecimal.valueOf(Long.parseLong(size.group(1)))
        .multiply(BigDecimal.valueOf(factor(size.group(2))))
        .min(BigDecimal.valueOf(Long.MAX_VALUE))
        .longValue();
  }

  private static long factor(String unit) {
    return switch (unit) {
      case "kib" -> 1L << 10;
      case "mib" -> 1L << 20;
      case "gib" -> 1L << 30;
      case "kb" -> 1_000;
      case "mb" -> 1_000_000;
      case "gb" -> 1_000_000_000;
      default -> 1;
    };
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

  /// `~/` is the user's home, also where no shell has seen it.
  public static Path path(String text) {
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
  public static Path absolutePath(String text) {
    Path path = path(text);
    if (!path.isAbsolute()) {
      throw new IllegalArgumentException(
          "expected an absolute path, such as /mnt/backups or ~/backups");
    }
    return path.normalize();
  }
}
