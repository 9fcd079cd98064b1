package dev.agentmemory.types;

import java.time.Instant;
import java.util.regex.Pattern;

/// The identity of a grip, written `grip:<13-digit epoch ms>:<ULID>`.
public record GripId(String value) implements Comparable<GripId> {

  private static final Pattern FORM = Pattern.compile("grip:\\d{13}:[0-9A-Z]{26}");

  /// @throws IllegalArgumentException when the text is not of that form
  public GripId {
    if (!isValid(value)) {
      throw new IllegalArgumentException("not a grip id: " + value);
    }
  }

  public static GripId of(Instant timestamp, EventId ulid) {
    String millis = Long.toString(timestamp.toEpochMilli());
    return new GripId("grip:" + "0".repeat(13 - millis.length()) + millis + ":" + ulid.value());
  }

  /// Whether a text has the form of a grip id.
  public static boolean isValid(String text) {
    return FORM.matcher(text).matches();
  }

  @Override
  public int compareTo(GripId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
