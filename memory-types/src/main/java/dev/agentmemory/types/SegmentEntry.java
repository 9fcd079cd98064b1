package dev.agentmemory.types;

/// What segmentation needs to know of one event: its place in time, its size and whether it ends
/// its session. Kept with the segment, so cutting again reads no event text.
///
/// @param tokens tokens of the event's text; tool results are cut before they are counted
/// @param endsSession whether the event is a SESSION_END
public record SegmentEntry(EventKey key, int tokens, boolean endsSession)
    implements Comparable<SegmentEntry> {

  public SegmentEntry {
    if (tokens < 0) {
      throw new IllegalArgumentException("tokens is negative: " + tokens);
    }
  }

  /// The entry without a workspace's name.
  public SegmentEntry plain() {
    return new SegmentEntry(key.plain(), tokens, endsSession);
  }

  @Override
  public int compareTo(SegmentEntry other) {
    return key.compareTo(other.key);
  }
}
