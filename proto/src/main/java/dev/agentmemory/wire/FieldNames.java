package dev.agentmemory.wire;

import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.MemoryException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// Names the fields of a message in refusals. A value that refuses a field names it as itself does
/// and does not know the message that it was read from.
public final class FieldNames {

  /// Where the message has another name, often because it states the unit.
  private static final Map<String, String> ON_THE_WIRE =
      Map.of(
          "session",
          "session_id",
          "evidence_events",
          "evidence_event_ids",
          "evidence_grips",
          "evidence_grip_ids",
          "after",
          "after_ms",
          "ids",
          "memory_ids",
          "overrides.half_life",
          "overrides.half_life_ms");

  private FieldNames() {}

  /// Reads a value.
  ///
  /// @param path of the message, such as `memories[2].`; empty for the request itself
  /// @throws MemoryException `INVALID_FIELD` naming the field with its path
  public static <T> T within(String path, Supplier<T> value) {
    try {
      return value.get();
    } catch (MemoryException e) {
      String field = e.field().orElseThrow(() -> e);
      String message = String.valueOf(e.getMessage());
      String lead = field + ": ";
      throw MemoryException.invalid(
          path + ON_THE_WIRE.getOrDefault(field, field),
          message.startsWith(lead) ? message.substring(lead.length()) : message);
    }
  }

  /// A time of a request.
  ///
  /// @throws MemoryException `INVALID_FIELD` when it is before 1970 or after the last millisecond
  ///   that an event may have
  public static Instant time(String field, long millis) {
    if (millis < 0 || millis > EventKey.LAST_MILLIS) {
      throw MemoryException.invalid(
          field,
          "is " + millis + "; expected milliseconds since 1970, 0 to " + EventKey.LAST_MILLIS);
    }
    return Instant.ofEpochMilli(millis);
  }

  /// A field that may be absent.
  public static <T> Optional<T> present(boolean present, Supplier<T> value) {
    return present ? Optional.of(value.get()) : Optional.empty();
  }
}
