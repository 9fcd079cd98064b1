package dev.agentmemory.cli.recall;

import dev.agentmemory.types.MemoryException;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A length of time as a user writes it: `90m`, `336h`, `14d`, `2w`.
final class Period {

  private static final Pattern FORM = Pattern.compile("(\\d{1,6})([mhdw])");

  private Period() {}

  /// @param option for the error
  /// @throws MemoryException `INVALID_FIELD` with the accepted forms
  static Duration parse(String option, String text) {
    Matcher matcher = FORM.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!matcher.matches() || Integer.parseInt(matcher.group(1)) == 0) {
      throw MemoryException.invalid(
          option, "is `" + text + "`; expected minutes, hours, days or weeks: 90m, 336h, 14d, 2w");
    }
    long amount = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "m" -> Duration.ofMinutes(amount);
      case "h" -> Duration.ofHours(amount);
      case "d" -> Duration.ofDays(amount);
      default -> Duration.ofDays(7 * amount);
    };
  }
}
