package dev.agentmemory.toc.navigate;

import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocNode;
import java.time.Instant;
import java.util.Comparator;

/// The place of a node among its siblings: its start, then its id.
public record ChildPlace(Instant start, NodeId id) implements Comparable<ChildPlace> {

  private static final Comparator<ChildPlace> ORDER =
      Comparator.comparing(ChildPlace::start).thenComparing(ChildPlace::id);

  public static ChildPlace of(TocNode node) {
    return new ChildPlace(node.span().start(), node.id());
  }

  @Override
  public int compareTo(ChildPlace other) {
    return ORDER.compare(this, other);
  }
}
