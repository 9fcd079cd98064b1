package dev.agentmemory.engine.internal.local;

import dev.agentmemory.recall.orient.RecentWork;
import dev.agentmemory.store.SegmentReader;
import dev.agentmemory.toc.navigate.TocNavigator;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.SegmentId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// What was worked on last, as the table of contents says: the segments that start last, those with
/// the latest events first. Nodes that cannot be read are passed over.
///
/// @param zone in which days begin
public record TocRecentWork(TocNavigator toc, SegmentReader segments, ZoneId zone)
    implements RecentWork {

  private static final Comparator<TocNode> LATEST_FIRST =
      Comparator.comparing((TocNode node) -> node.span().end())
          .thenComparing(TocNode::id)
          .reversed();

  @Override
  public List<Passage> latest(int limit) {
    List<TocNode> found = new ArrayList<>();
    for (TocNode year : toc.root()) {
      collect(year, limit, found);
    }
    return found.stream().sorted(LATEST_FIRST).map(this::passage).toList();
  }

  /// Children stand in time order, so the last ones are the latest.
  private void collect(TocNode node, int limit, List<TocNode> found) {
    if (node.level() == TocLevel.SEGMENT) {
      found.add(node);
      return;
    }
    for (NodeId child : node.children().reversed()) {
      if (found.size() >= limit) {
        return;
      }
      readable(() -> toc.node(child)).ifPresent(below -> collect(below, limit, found));
    }
  }

  private Passage passage(TocNode node) {
    Optional<SessionId> session =
        readable(() -> segments.segment(SegmentId.of(node.id()))).map(Segment::session);
    return new Passage(
        node.id(),
        session,
        LocalDate.ofInstant(node.span().start(), zone),
        node.title(),
        node.bullets().stream().map(one -> new Statement(one.text(), one.grips())).toList());
  }

  private static <T> Optional<T> readable(Supplier<Optional<T>> read) {
    try {
      return read.get();
    } catch (MemoryException e) {
      e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
      return Optional.empty();
    }
  }
}
