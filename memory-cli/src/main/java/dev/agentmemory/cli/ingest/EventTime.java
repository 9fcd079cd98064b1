package dev.agentmemory.cli.ingest;

import dev.agentmemory.cli.terminal.Columns;
import dev.agentmemory.types.MemoryException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.OptionalLong;

/// The time of an event of a line: `timestamp_ms`, or `timestamp` as a time in ISO form or as
/// milliseconds.
final class EventTime {

  /// 1973 in milliseconds. A smaller `timestamp` is refused, because it may be in seconds.
  private static final long LEAST_MILLIS = 100_000_000_000L;

  private EventTime() {}

  /// @throws MemoryException `INVALID_FIELD` naming the field
  static Instant of(EventFields fields) {
    Optional<Instant> millis = fields.value("timestamp_ms").map(EventTime::millis);
    Optional<Instant> written = fields.value("timestamp").map(EventTime::written);
    if (millis.isPresent() && written.isPresent() && !same(millis.get(), written.get())) {
      throw MemoryException.invalid(
          "timestamp", "differs from timestamp_ms; send only one of them");
    }
    return millis
        .or(() -> written)
        .orElseThrow(() ->
            MemoryException.invalid(
                "timestamp_ms",
                "is missing; send it, or `timestamp` such as 2026-01-30T14:30:00Z"));
  }

  private static boolean same(Instant one, Instant other) {
    return one.toEpochMilli() == other.toEpochMilli();
  }

  private static Instant millis(LineValue value) {
    OptionalLong number = whole(value);
    if (number.isEmpty() || number.getAsLong() < 0) {
      throw MemoryException.invalid(
          "timestamp_ms", "is " + shown(value) + "; expected whole milliseconds since 1970");
    }
    return Instant.ofEpochMilli(number.getAsLong());
  }

  private static Instant written(LineValue value) {
    OptionalLong number = whole(value);
    if (number.isPresent() && number.getAsLong() >= LEAST_MILLIS) {
      return Instant.ofEpochMilli(number.getAsLong());
    }
    if (number.isPresent() && number.getAsLong() >= 0) {
      // 1973 to 2286 in seconds.
      int digits = Long.toString(number.getAsLong()).length();
      String problem = digits == 9 || digits == 10 ? "looks like seconds" : "is before 1973";
      throw MemoryException.invalid(
          "timestamp",
          "is %s, which %s; expected milliseconds since 1970 or a time such as 2026-01-30T14:30:00Z"
              .formatted(shown(value), problem));
    }
    if (value instanceof LineValue.Text(String text)) {
      try {
        Instant instant = OffsetDateTime.parse(text).toInstant();
        if (instant.toEpochMilli() >= 0) {
          return instant;
        }
      } catch (DateTimeException | ArithmeticException e) {
        // Refused below, together with times before 1970.
      }
    }
    throw MemoryException.invalid(
        "timestamp",
        "is "
            + shown(value)
            + "; expected a time since 1970 such as 2026-01-30T14:30:00Z, or"
            + " whole milliseconds since 1970");
  }

  /// A number, or text with its digits, because JSON from protocol buffers has large numbers as
  /// text.
  private static OptionalLong whole(LineValue value) {
    String digits =
        switch (value) {
          case LineValue.Numeral(String literal) -> literal;
          case LineValue.Text(String text) -> text;
          case LineValue.Flag _, LineValue.Nothing _, LineValue.Items _, LineValue.Fields _ -> "";
        };
    try {
      return OptionalLong.of(Long.parseLong(digits));
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
  }

  private static String shown(LineValue value) {
    return switch (value) {
      case LineValue.Numeral(String literal) -> literal;
      case LineValue.Text(String text) -> Columns.cut(text, 60);
      case LineValue.Flag _, LineValue.Nothing _, LineValue.Items _, LineValue.Fields _ ->
          value.kind();
    };
  }
}
