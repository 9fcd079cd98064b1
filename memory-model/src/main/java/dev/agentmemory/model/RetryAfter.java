package dev.agentmemory.model;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.regex.Pattern;

/// Reads the header that says when to come back: seconds or a date.
final class RetryAfter {

  /// Upper limit; longer delays are reduced to it.
  static final Duration LONGEST = Duration.ofDays(1);

  private static final Pattern SECONDS = Pattern.compile("\\d{1,9}(\\.\\d{1,9})?");

  private RetryAfter() {}

  /// @return 0 for a date in the past; empty when the text is neither
  static Optional<Duration> read(String header, Instant now) {
    String text = header.strip();
    if (SECONDS.matcher(text).matches()) {
      return Optional.of(atMost(Duration.ofMillis(Math.round(Double.parseDouble(text) * 1000))));
    }
    try {
      Instant until = Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text));
      Duration wait = Duration.between(now, until);
      return Optional.of(wait.isNegative() ? Duration.ZERO : atMost(wait));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private static Duration atMost(Duration wait) {
    return wait.compareTo(LONGEST) > 0 ? LONGEST : wait;
  }
}
