package dev.agentmemory.text;

import dev.agentmemory.types.Event;
import java.util.Locale;

/// Determines the speaker of an event.
public final class Speakers {

  /// The key of the metadata in which an adapter names the speaker.
  static final String KEY = "speaker";

  private static final int MAX = 64;

  private Speakers() {}

  /// The speaker's name, or else the role.
  public static String of(Event event) {
    String named = event.metadata().getOrDefault(KEY, "").strip();
    String name = named.isEmpty() ? event.role().name().toLowerCase(Locale.ROOT) : named;
    return name.substring(0, Math.min(MAX, name.length()));
  }

  public static boolean isNamed(Event event) {
    return !of(event).equalsIgnoreCase(event.role().name());
  }

  /// The text for a model: preceded by its speaker.
  public static String spoken(Event event) {
    return of(event) + ": " + event.text();
  }
}
