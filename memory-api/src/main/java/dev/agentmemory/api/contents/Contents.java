package dev.agentmemory.api.contents;

import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Reads the table of contents and the evidence of its bullets.
public interface Contents {

  /// Nodes or versions of an answer for which no limit is said.
  int BY_DEFAULT = 20;

  /// The most nodes or versions of one answer.
  int MOST = 1000;

  /// All years, the newest first.
  List<TocNode> root();

  /// @return empty when there is no such node
  Optional<TocNode> node(NodeId id);

  /// The years in the order of their time.
  ///
  /// @param page [#BY_DEFAULT] nodes by default, [#MOST] at most
  Page<TocNode> years(PageRequest page);

  /// The children of a node in the order of their time; none for an unknown node.
  ///
  /// @param page [#BY_DEFAULT] nodes by default, [#MOST] at most
  Page<TocNode> children(NodeId parent, PageRequest page);

  /// The children of the newest year, those of the newest of them, and so on, down to the segments
  /// of a day: what is shown of a table of contents that is opened where something happened last.
  ///
  /// @param limit nodes of each, [#BY_DEFAULT] if 0, [#MOST] at most
  default List<NodeChildren> newest(int limit) {
    List<NodeChildren> opened = new ArrayList<>();
    Optional<TocNode> newest = root().stream().findFirst();
    while (newest.isPresent() && newest.get().level() != TocLevel.SEGMENT) {
      NodeId parent = newest.get().id();
      Page<TocNode> children = children(parent, PageRequest.of(limit));
      opened.add(new NodeChildren(parent, children));
      newest = children.items().reversed().stream().findFirst();
    }
    return List.copyOf(opened);
  }

  /// Looks for words in one node.
  ///
  /// @return the best first
  /// @throws dev.agentmemory.types.MemoryException `NOT_FOUND` when there is no such node
  List<NodeMatch> searchNode(NodeId id, NodeQuery query);

  /// Looks for words in many nodes.
  FoundNodes search(NodeScope scope, NodeQuery query);

  /// A grip with its events and what was said around them. The farthest events are left out when
  /// all of them would be too large.
  ///
  /// @param before events before the excerpt, 0 to 200
  /// @param after events after the excerpt, 0 to 200
  /// @return empty when there is no such grip
  Optional<GripContext> expand(GripId id, int before, int after);

  /// The kept versions of a node, the newest first, also of one that was retired.
  ///
  /// @param before only versions below this one; 0 starts with the newest
  /// @param limit 1 to [#MOST], more is taken as that; 0 is [#BY_DEFAULT]
  /// @throws dev.agentmemory.types.MemoryException `NOT_FOUND` when there is no such node
  NodeVersions versions(NodeId id, int before, int limit);

  /// @throws dev.agentmemory.types.MemoryException `NOT_FOUND` saying which versions there are
  TocNode version(NodeId id, int version);

  /// Gives a node the summary of one of its versions, as a new version.
  ///
  /// @throws dev.agentmemory.types.MemoryException `NOT_FOUND` when there is no such version or the
  ///   node was retired, `CONFLICT` when evidence of the old version is gone, `INVALID_FIELD` when
  ///   the node has no summary of its own
  Reverted revert(NodeId id, int version);
}
