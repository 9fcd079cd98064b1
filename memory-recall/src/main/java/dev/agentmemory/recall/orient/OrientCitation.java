package dev.agentmemory.recall.orient;

import dev.agentmemory.types.GripId;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.NodeId;

/// What supports a line.
///
/// @param id of a memory, a node or a grip
/// @param text the id as the document cites it, such as `[mem:01KG7...]`. The ids of nodes and grips
///   say themselves what they are
record OrientCitation(String id, String text) {

  static OrientCitation of(MemoryId memory) {
    return new OrientCitation(memory.value(), "[mem:" + memory.value() + ']');
  }

  static OrientCitation of(NodeId node) {
    return new OrientCitation(node.value(), '[' + node.value() + ']');
  }

  static OrientCitation of(GripId grip) {
    return new OrientCitation(grip.value(), '[' + grip.value() + ']');
  }
}
