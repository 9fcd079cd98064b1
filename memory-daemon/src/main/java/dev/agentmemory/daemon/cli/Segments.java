package dev.agentmemory.daemon.cli;

import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.client.SegmentView;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.SegmentId;

/// From a segment's node to the segment: both are named after its first event.
final class Segments {

  private Segments() {}

  static SegmentView of(MemoryClient client, NodeId node) {
    String firstEvent = node.value().substring(node.value().lastIndexOf(':') + 1);
    return client.segment(new SegmentId(new EventId(firstEvent)));
  }
}
