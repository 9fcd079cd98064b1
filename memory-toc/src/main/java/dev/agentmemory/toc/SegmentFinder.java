package dev.agentmemory.toc;

import dev.agentmemory.store.SegmentReader;
import dev.agentmemory.store.StoreReader;
import dev.agentmemory.store.TocReader;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.SegmentId;
import dev.agentmemory.types.TocLevel;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Finds segments by time, whatever their session. Their nodes stand in the order of their days, so
/// a range of days is one walk.
public final class SegmentFinder {

  private static final int PAGE = 256;
  private static final EventId LAST_ID = new EventId("7" + "Z".repeat(EventId.LENGTH - 1));

  private final TocReader toc;
  private final SegmentReader segments;

  public SegmentFinder(StoreReader store) {
    this.toc = store.toc();
    this.segments = store.segments();
  }

  /// Segments that begin in a time, by their day and then by id.
  ///
  /// @param from included
  /// @param to not included
  /// @param after go on behind the segment of this node; empty to start
  public List<Segment> find(Instant from, Instant to, Optional<NodeId> after, int limit) {
    List<Segment> found = new ArrayList<>();
    // A day of the table's zone may begin most of a day before or after that of UTC.
    String end = NodeId.day(day(to).plusDays(2)).value().replace(":day:", ":segment:");
    Optional<NodeId> place =
        after.or(() -> Optional.of(NodeId.segment(day(from).minusDays(2), LAST_ID)));
    while (found.size() < limit) {
      List<NodeId> page = toc.nodeIds(TocLevel.SEGMENT, place, PAGE);
      for (NodeId id : page) {
        if (found.size() == limit || id.value().compareTo(end) > 0) {
          return found;
        }
        segments
            .segment(segmentOf(id))
            .filter(segment -> !segment.start().isBefore(from) && segment.start().isBefore(to))
            .ifPresent(found::add);
      }
      if (page.size() < PAGE) {
        return found;
      }
      place = Optional.of(page.getLast());
    }
    return found;
  }

  private static LocalDate day(Instant time) {
    return LocalDate.ofInstant(time, ZoneOffset.UTC);
  }

  /// Node and segment are both named after the segment's first event.
  private static SegmentId segmentOf(NodeId node) {
    String value = node.value();
    return new SegmentId(new EventId(value.substring(value.lastIndexOf(':') + 1)));
  }
}
