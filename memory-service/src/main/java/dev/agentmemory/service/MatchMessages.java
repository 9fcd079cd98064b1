package dev.agentmemory.service;

import dev.agentmemory.proto.SearchChildrenResponse;
import dev.agentmemory.proto.SearchField;
import dev.agentmemory.proto.SearchMatch;
import dev.agentmemory.proto.SearchNodeResponse;
import dev.agentmemory.proto.SearchNodeResult;
import dev.agentmemory.toc.FoundNode;
import dev.agentmemory.toc.FoundNodes;
import dev.agentmemory.toc.NodeField;
import dev.agentmemory.toc.NodeMatch;
import dev.agentmemory.toc.NodeMatches;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.wire.GripMessages;
import dev.agentmemory.wire.WireEnums;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// What a search found, on the wire.
final class MatchMessages {

  private MatchMessages() {}

  static SearchNodeResponse toWire(NodeMatches found) {
    return SearchNodeResponse.newBuilder()
        .setMatched(!found.matches().isEmpty())
        .addAllMatches(toWire(found.matches()))
        .setNodeId(found.node().value())
        .setLevel(WireEnums.toWire(found.node().level()))
        .build();
  }

  static SearchChildrenResponse toWire(FoundNodes found) {
    return SearchChildrenResponse.newBuilder()
        .addAllResults(found.nodes().stream().map(MatchMessages::toWire).toList())
        .setHasMore(found.more())
        .build();
  }

  /// Unspecified is ignored.
  static Set<NodeField> fields(List<SearchField> fields) {
    var all = EnumSet.noneOf(NodeField.class);
    for (SearchField field : fields) {
      switch (field) {
        case SEARCH_FIELD_UNSPECIFIED -> {}
        case SEARCH_FIELD_TITLE -> all.add(NodeField.TITLE);
        case SEARCH_FIELD_SUMMARY -> all.add(NodeField.SUMMARY);
        case SEARCH_FIELD_BULLETS -> all.add(NodeField.BULLETS);
        case SEARCH_FIELD_KEYWORDS -> all.add(NodeField.KEYWORDS);
        case UNRECOGNIZED ->
            throw MemoryException.invalid("fields", "is not a known value of SearchField");
      }
    }
    return all;
  }

  private static SearchNodeResult toWire(FoundNode found) {
    return SearchNodeResult.newBuilder()
        .setNodeId(found.id().value())
        .setTitle(found.title())
        .setLevel(WireEnums.toWire(found.id().level()))
        .addAllMatches(toWire(found.matches()))
        .setRelevanceScore((float) found.relevance())
        .build();
  }

  private static List<SearchMatch> toWire(List<NodeMatch> matches) {
    return matches.stream().map(MatchMessages::toWire).toList();
  }

  private static SearchMatch toWire(NodeMatch match) {
    return SearchMatch.newBuilder()
        .setField(toWire(match.field()))
        .setText(match.text())
        .addAllGripIds(GripMessages.toWire(match.grips()))
        .setScore((float) match.score())
        .build();
  }

  private static SearchField toWire(NodeField field) {
    return switch (field) {
      case TITLE -> SearchField.SEARCH_FIELD_TITLE;
      case SUMMARY -> SearchField.SEARCH_FIELD_SUMMARY;
      case BULLETS -> SearchField.SEARCH_FIELD_BULLETS;
      case KEYWORDS -> SearchField.SEARCH_FIELD_KEYWORDS;
    };
  }
}
