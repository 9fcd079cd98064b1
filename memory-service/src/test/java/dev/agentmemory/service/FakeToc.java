package dev.agentmemory.service;

import dev.agentmemory.toc.ChildPlace;
import dev.agentmemory.toc.FoundNode;
import dev.agentmemory.toc.FoundNodes;
import dev.agentmemory.toc.GripContext;
import dev.agentmemory.toc.NodeField;
import dev.agentmemory.toc.NodeMatch;
import dev.agentmemory.toc.NodeMatches;
import dev.agentmemory.toc.NodeQuery;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.Grip;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/// A flat table of contents: every node is a child of the root. Notes what it was asked.
final class FakeToc implements Toc {

  final List<TocNode> nodes = new CopyOnWriteArrayList<>();
  final List<Object> asked = new CopyOnWriteArrayList<>();
  volatile Runnable before = () -> {};
  volatile int contextText = 10;

  @Override
  public List<TocNode> root() {
    before.run();
    return nodes.reversed();
  }

  @Override
  public Optional<TocNode> node(NodeId id) {
    return nodes.stream().filter(node -> node.id().equals(id)).findFirst();
  }

  @Override
  public List<TocNode> children(Optional<NodeId> parent, Optional<ChildPlace> after, int limit) {
    asked.add(limit);
    if (parent.isPresent()) {
      return List.of();
    }
    return nodes.stream()
        .sorted(
            Comparator.comparing((TocNode node) -> node.span().start()).thenComparing(TocNode::id))
        .filter(node -> after.isEmpty() || isBehind(node, after.get()))
        .limit(limit)
        .toList();
  }

  private static boolean isBehind(TocNode node, ChildPlace place) {
    int byStart = node.span().start().compareTo(place.start());
    return byStart > 0 || (byStart == 0 && node.id().compareTo(place.id()) > 0);
  }

  @Override
  public NodeMatches searchNode(NodeId id, NodeQuery query) {
    asked.add(query);
    if (node(id).isEmpty()) {
      throw new MemoryException(ErrorCode.NOT_FOUND, "there is no node " + id);
    }
    return new NodeMatches(id, List.of(match(query)));
  }

  @Override
  public FoundNodes searchChildren(
      Optional<NodeId> parent, Optional<TocLevel> level, NodeQuery query) {
    asked.add(level);
    return new FoundNodes(
        nodes.stream()
            .map(node -> new FoundNode(node.id(), node.title(), List.of(match(query)), 0.75))
            .toList(),
        true);
  }

  private static NodeMatch match(NodeQuery query) {
    return new NodeMatch(NodeField.BULLETS, query.text(), List.of(Samples.grip(1)), 0.5);
  }

  @Override
  public Optional<GripContext> expand(GripId id, int before, int after) {
    if (!id.equals(Samples.grip(1))) {
      return Optional.empty();
    }
    Grip grip =
        new Grip(
            id,
            "text",
            Samples.id(500),
            Samples.id(500),
            Samples.event(500).timestamp(),
            "segment_summarizer",
            NodeId.year(2026));
    return Optional.of(
        new GripContext(grip, context(500 - before, before), context(500, 1), context(501, after)));
  }

  private List<Event> context(int first, int count) {
    var events = new ArrayList<Event>();
    for (int i = first; i < first + count; i++) {
      events.add(Samples.event(i, Samples.START + i, "x".repeat(contextText)));
    }
    return events;
  }
}
