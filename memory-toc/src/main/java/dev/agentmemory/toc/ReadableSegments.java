package dev.agentmemory.toc;

import dev.agentmemory.store.SegmentReader;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.SegmentId;
import java.util.Optional;

/// Segments by their nodes. One that cannot be read counts as absent: it keeps its words until a
/// rebuild writes it anew.
final class ReadableSegments {

  private ReadableSegments() {}

  static Optional<Segment> of(SegmentReader segments, NodeId node) {
    try {
      return segments.segment(SegmentId.of(node));
    } catch (MemoryException e) {
      e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
      return Optional.empty();
    }
  }
}
