package dev.agentmemory.store;

import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.SegmentId;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Reads segments. The segments of a session do not overlap; their order is that of their first
/// events.
public interface SegmentReader {

  /// @return empty when there is none
  Optional<Segment> segment(SegmentId id);

  /// The last segment of a session that starts at or before a place.
  Optional<Segment> segmentAt(SessionId session, EventKey place);

  /// Segments of a session that start behind a place, in time order.
  ///
  /// @param after not included; empty to start with the session's first segment
  List<Segment> segmentsAfter(SessionId session, Optional<EventKey> after, int limit);

  /// Segments whose boundary is [dev.agentmemory.types.Boundary#OPEN] and whose last event is at or
  /// before a time, in no particular order.
  List<Segment> openSegments(Instant lastEventUpTo, int limit);
}
