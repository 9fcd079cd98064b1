package dev.agentmemory.agents.transcript;

import dev.agentmemory.types.Event;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What a transcript says from one place to another.
///
/// @param events in the order of the source
/// @param offset the place behind the last complete line; a torn last line lies behind it
/// @param state what the next call needs to know; opaque. A few kilobytes, and 15 bytes for each
///   digest of what was said, of which there are 32,768 at most
/// @param more whether complete lines may follow at once; false at the end of the file
/// @param skipped lines without an event, by type
/// @param directory the working directory that the transcript names
public record TranscriptPart(
    List<Event> events,
    long offset,
    String state,
    boolean more,
    Map<String, Long> skipped,
    Optional<Path> directory) {

  /// The type of skipped lines that are no JSON.
  static final String UNREADABLE = "unreadable";

  /// The type of skipped lines, and whole documents, that are larger than what is read.
  static final String TOO_LONG = "too-long";

  public TranscriptPart {
    events = List.copyOf(events);
    skipped = Map.copyOf(skipped);
  }

  /// How many lines could not be read, so that something of the session may be missing.
  public long unreadable() {
    return skipped.getOrDefault(UNREADABLE, 0L) + skipped.getOrDefault(TOO_LONG, 0L);
  }
}
