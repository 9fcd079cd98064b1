package dev.agentmemory.types;

/// What segmentation needs to know of one event: its place in time, its size and what it is. Kept
/// with the segment, so cutting again reads no event text.
///
/// @param tokens tokens of the event's text; tool results are cut before they are counted
public record SegmentEntry(EventKey key, int tokens, Kind kind)
    implements Comparable<SegmentEntry> {

  /// What an event is for the cut of a session into segments.
  public enum Kind {
    /// The words of a person; a turn begins with them.
    PERSON,
    /// The words of an assistant.
    ASSISTANT,
    /// The text of a tool.
    TOOL,
    /// Anything else: the beginning of a session, text of the agent's program, an event without
    /// words.
    OTHER,
    /// The end of a session.
    END;

    /// Whether a person or an assistant speaks.
    public boolean isSpoken() {
      return this == PERSON || this == ASSISTANT;
    }
  }

  public SegmentEntry {
    if (tokens < 0) {
      throw new IllegalArgumentException("tokens is negative: " + tokens);
    }
  }

  /// The entry without a workspace's name.
  public SegmentEntry plain() {
    return new SegmentEntry(key.plain(), tokens, kind);
  }

  @Override
  public int compareTo(SegmentEntry other) {
    return key.compareTo(other.key);
  }
}
