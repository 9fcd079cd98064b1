package dev.agentmemory.engine.internal.erase;

import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.Grip;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.SegmentEntry;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.TocNode;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What a decided erasure removes: reads leave it out from the decision on, although most of it is
/// still stored. Nodes that are summarised again are without words until that is done.
public final class Withheld {

  /// @param events of the erasure
  /// @param sessions of which nothing is left
  /// @param nodes that say what the events say
  private record Content(Set<EventId> events, Set<SessionId> sessions, Set<NodeId> nodes) {}

  private static final Content NOTHING = new Content(Set.of(), Set.of(), Set.of());

  private volatile Content content = NOTHING;

  /// @param nodes all that say, or have said, what the events of the plan say
  void withhold(ErasurePlan plan, Set<NodeId> nodes) {
    Set<EventId> events = new HashSet<>();
    plan.events().values().forEach(keys -> keys.forEach(key -> events.add(key.id())));
    content = new Content(events, Set.copyOf(plan.whole()), Set.copyOf(nodes));
  }

  /// Nothing that a read could give is left of it.
  void release() {
    content = NOTHING;
  }

  boolean isNothing() {
    Content now = content;
    return now.events().isEmpty() && now.sessions().isEmpty() && now.nodes().isEmpty();
  }

  boolean hides(EventId event) {
    return content.events().contains(event);
  }

  boolean hides(Session session) {
    return content.sessions().contains(session.id());
  }

  boolean hides(NodeId node) {
    return content.nodes().contains(node);
  }

  boolean hides(Grip grip) {
    return hides(grip.node()) || hides(grip.first()) || hides(grip.last());
  }

  /// A node as it is read: its place stays, so that what is below it can be reached.
  TocNode shown(TocNode node) {
    return hides(node.id())
        ? new TocNode(
            node.id(),
            "",
            Optional.empty(),
            List.of(),
            List.of(),
            node.children(),
            node.span(),
            node.edition(),
            node.agents())
        : node;
  }

  /// A segment as it is read; empty when none of its events is left.
  Optional<Segment> shown(Segment segment) {
    if (isNothing()) {
      return Optional.of(segment);
    }
    List<SegmentEntry> entries =
        segment.entries().stream().filter(entry -> !hides(entry.key().id())).toList();
    List<EventKey> overlap = segment.overlap().stream().filter(key -> !hides(key.id())).toList();
    // A segment is named after its first event, so without it there is none of that name.
    return entries.isEmpty() || !entries.getFirst().equals(segment.entries().getFirst())
        ? Optional.empty()
        : Optional.of(
            new Segment(
                segment.id(),
                segment.session(),
                segment.node(),
                entries,
                overlap,
                segment.boundary()));
  }
}
