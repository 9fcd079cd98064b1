package dev.agentmemory.types;

/// What segmentation needs to know of one event: its place in time, its size and what it is. Kept
/// with the segment, so cutting again reads no event text.
///
/// @param tokens tokens of the event's text; tool results are cut before they are counted
public record SegmentEntry(EventKey key, int tokens, EntryKind kind)
    implements Comparable<SegmentEntry> {

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
