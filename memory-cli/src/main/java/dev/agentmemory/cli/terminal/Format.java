package dev.agentmemory.cli.terminal;

import java.time.Duration;
import java.util.Locale;

/// Formats numbers for people.
public final class Format {

  private Format() {}

  /// `1 event`, `1,200 events`.
  public static String count(long number, String noun) {
    return count(number, noun, noun + "s");
  }

  /// `1 memory`, `1,200 memories`.
  public static String count(long number, String noun, String plural) {
    return String.format(Locale.ROOT, "%,d %s", number, number == 1 ? noun : plural);
  }

  public static String bytes(long bytes) {
    if (bytes < 1024) {
      return bytes + " B";
    }
    double value = bytes / 1024.0;
    for (String unit : new String[] {"KiB", "MiB", "GiB"}) {
      if (value < 1024) {
        return String.format(Locale.ROOT, "%.1f %s", value, unit);
      }
      value /= 1024;
    }
    return String.format(Locale.ROOT, "%.1f TiB", value);
  }

  /// `1.0 MiB of 2.5 GiB`.
  public static String bytes(long done, long total) {
    return bytes(done) + " of " + bytes(total);
  }

  /// The two largest units: `2 d 3 h`, `4 m 5 s`, `0.7 s`.
  public static String time(Duration time) {
    if (time.toDays() > 0) {
      return time.toDays() + " d " + time.toHoursPart() + " h";
    }
    if (time.toHours() > 0) {
      return time.toHours() + " h " + time.toMinutesPart() + " m";
    }
    if (time.toMinutes() > 0) {
      return time.toMinutes() + " m " + time.toSecondsPart() + " s";
    }
    return String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1000.0);
  }
}
