package dev.agentmemory.toc;

import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocNode;
import java.time.Instant;

/// Where a page of children ended.
public record ChildPlace(Instant start, NodeId id) {

  public static ChildPlace of(TocNode node) {
    return new ChildPlace(node.span().start(), node.id());
  }
}
