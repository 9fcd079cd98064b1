package dev.agentmemory.types;

import java.time.Instant;
import java.util.List;

/// A contiguous part of one session that is summarised as a unit.
///
/// @param node the node that summarises it; its day is the day on which the segment starts
/// @param entries its events in time order, never empty
/// @param overlap trailing events of the segment before, context for a summariser only: never
///   counted and never quoted
/// @param boundary why it ends
public record Segment(
    SegmentId id,
    SessionId session,
    NodeId node,
    List<SegmentEntry> entries,
    List<EventKey> overlap,
    Boundary boundary) {

  public Segment {
    entries = List.copyOf(entries);
    overlap = List.copyOf(overlap);
    if (entries.isEmpty() || !entries.getFirst().key().id().equals(id.firstEvent())) {
      throw new IllegalArgumentException("segment " + id + " does not start with its first event");
    }
  }

  /// The segment without a workspace's name.
  public Segment plain() {
    return new Segment(
        id.plain(),
        session.plain(),
        node.plain(),
        entries.stream().map(SegmentEntry::plain).toList(),
        overlap.stream().map(EventKey::plain).toList(),
        boundary);
  }

  public EventKey first() {
    return entries.getFirst().key();
  }

  public EventKey last() {
    return entries.getLast().key();
  }

  public Instant start() {
    return first().timestamp();
  }

  /// The timestamp of the last event.
  public Instant end() {
    return last().timestamp();
  }

  /// Tokens of the segment's own events, overlap not counted.
  public int tokens() {
    return entries.stream().mapToInt(SegmentEntry::tokens).sum();
  }
}
