package dev.agentmemory.wire;

import dev.agentmemory.api.contents.FoundNode;
import dev.agentmemory.api.contents.FoundNodes;
import dev.agentmemory.api.contents.NodeField;
import dev.agentmemory.api.contents.NodeMatch;
import dev.agentmemory.proto.SearchChildrenResponse;
import dev.agentmemory.proto.SearchField;
import dev.agentmemory.proto.SearchMatch;
import dev.agentmemory.proto.SearchNodeResponse;
import dev.agentmemory.proto.SearchNodeResult;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// Maps matches of a search in nodes.
public final class MatchMessages {

  private MatchMessages() {}

  /// @param node the node that was searched
  public static SearchNodeResponse toWire(NodeId node, List<NodeMatch> matches) {
    return SearchNodeResponse.newBuilder()
        .setMatched(!matches.isEmpty())
        .addAllMatches(toWire(matches))
        .setNodeId(node.value())
        .setLevel(WireEnums.LEVEL.toWire(node.level()))
        .build();
  }

  public static SearchChildrenResponse toWire(FoundNodes found) {
    return SearchChildrenResponse.newBuilder()
        .addAllResults(found.nodes().stream().map(MatchMessages::toWire).toList())
        .setHasMore(found.more())
        .build();
  }

  /// Unspecified fields are ignored.
  public static Set<NodeField> fields(List<SearchField> fields) {
    var all = EnumSet.noneOf(NodeField.class);
    fields.forEach(field -> WireEnums.FIELD.fromWire("fields", field).ifPresent(all::add));
    return all;
  }

  private static SearchNodeResult toWire(FoundNode found) {
    return SearchNodeResult.newBuilder()
        .setNodeId(found.id().value())
        .setTitle(found.title())
        .setLevel(WireEnums.LEVEL.toWire(found.id().level()))
        .addAllMatches(toWire(found.matches()))
        .setRelevanceScore((float) found.relevance())
        .build();
  }

  private static List<SearchMatch> toWire(List<NodeMatch> matches) {
    return matches.stream().map(MatchMessages::toWire).toList();
  }

  private static SearchMatch toWire(NodeMatch match) {
    return SearchMatch.newBuilder()
        .setField(WireEnums.FIELD.toWire(match.field()))
        .setText(match.text())
        .addAllGripIds(GripMessages.toWire(match.grips()))
        .setScore((float) match.score())
        .build();
  }

  /// @throws MemoryException `INVALID_FIELD` naming `results.<field>` or `matches.<field>`
  public static FoundNodes fromWire(SearchChildrenResponse message) {
    return new FoundNodes(
        message.getResultsList().stream().map(MatchMessages::fromWire).toList(),
        message.getHasMore());
  }

  /// @throws MemoryException `INVALID_FIELD` naming `matches.<field>`
  public static List<NodeMatch> fromWire(SearchNodeResponse message) {
    return fromWire(message.getMatchesList());
  }

  private static List<NodeMatch> fromWire(List<SearchMatch> messages) {
    return messages.stream().map(MatchMessages::fromWire).toList();
  }

  private static FoundNode fromWire(SearchNodeResult message) {
    return new FoundNode(
        NodeMessages.nodeId("results.node_id", message.getNodeId()),
        message.getTitle(),
        fromWire(message.getMatchesList()),
        message.getRelevanceScore());
  }

  private static NodeMatch fromWire(SearchMatch message) {
    return new NodeMatch(
        WireEnums.FIELD
            .known(message.getField())
            .orElseThrow(() -> WireEnums.unknownHere("matches.field")),
        message.getText(),
        GripMessages.fromWire("matches.grip_ids", message.getGripIdsList()),
        message.getScore());
  }
}
