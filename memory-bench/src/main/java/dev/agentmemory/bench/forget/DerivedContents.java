package dev.agentmemory.bench.forget;

import dev.agentmemory.api.SegmentOutline;
import dev.agentmemory.api.contents.GripContext;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.bench.daemon.DaemonContents;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.Grip;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocNode;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// The table of contents and its grips, divided into what rests on events that are forgotten and
/// the rest.
///
/// @param touched nodes of segments with such an event, also as overlap, and all nodes above them
/// @param resting grips whose excerpts have such an event
/// @param untouchedNodes all other nodes
/// @param untouchedGrips all other grips
record DerivedContents(
    Set<NodeId> touched,
    Set<GripId> resting,
    Map<NodeId, TocNode> untouchedNodes,
    Map<GripId, Grip> untouchedGrips) {

  private static final int PAGE = 1000;

  /// Reads all of a daemon.
  static DerivedContents of(MemoryClient client, Collection<MarkedEvents> forgotten) {
    Map<NodeId, TocNode> nodes = DaemonContents.nodes(client);
    var ids = new HashSet<EventId>();
    var touched = new HashSet<NodeId>();
    for (MarkedEvents marked : forgotten) {
      ids.addAll(marked.ids());
      segments(client, marked).map(SegmentOutline::node).forEach(touched::add);
    }
    boolean more = true;
    while (more) {
      more = false;
      for (TocNode node : nodes.values()) {
        more |= node.children().stream().anyMatch(touched::contains) && touched.add(node.id());
      }
    }
    var resting = new HashSet<GripId>();
    var grips = new HashMap<GripId, Grip>();
    for (TocNode node : nodes.values()) {
      for (GripId id : node.grips()) {
        if (resting.contains(id) || grips.containsKey(id)) {
          continue;
        }
        GripContext grip = client.contents().expand(id, 0, 0).orElseThrow();
        if (grip.excerpt().stream().map(Event::id).anyMatch(ids::contains)) {
          resting.add(id);
        } else {
          grips.put(id, grip.grip());
        }
      }
    }
    nodes.keySet().removeAll(touched);
    return new DerivedContents(touched, resting, nodes, grips);
  }

  /// The segments with a marked event.
  static Stream<SegmentOutline> segments(MemoryClient client, MarkedEvents marked) {
    Set<EventId> ids = marked.ids();
    return Page.stream(
            PageRequest.of(PAGE), page -> client.sessions().segments(marked.session(), page))
        .filter(segment ->
            Stream.of(segment.events(), segment.overlap())
                .flatMap(List::stream)
                .anyMatch(ids::contains));
  }

  /// Nodes that rest on nothing forgotten and say something else now, or do not exist any more.
  ///
  /// @return of each what it was, and what it is
  List<String> changedNodes(MemoryClient client) {
    Map<NodeId, TocNode> now = DaemonContents.nodes(client);
    return untouchedNodes.values().stream()
        .filter(node -> Optional.ofNullable(now.get(node.id())).filter(node::sameContent).isEmpty())
        .map(node -> node + " now " + now.get(node.id()))
        .toList();
  }

  /// Grips that rest on nothing forgotten and are another or do not exist any more.
  ///
  /// @param ofTouchedNodes those that were made for nodes that have to change, instead of the
  ///   others
  List<GripId> changedGrips(MemoryClient client, boolean ofTouchedNodes) {
    return untouchedGrips.values().stream()
        .filter(grip -> touched.contains(grip.node()) == ofTouchedNodes)
        .filter(grip ->
            client
                .contents()
                .expand(grip.id(), 0, 0)
                .filter(now -> now.grip().equals(grip))
                .isEmpty())
        .map(Grip::id)
        .toList();
  }
}
