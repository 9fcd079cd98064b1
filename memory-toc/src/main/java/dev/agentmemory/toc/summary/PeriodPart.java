package dev.agentmemory.toc.summary;

import dev.agentmemory.types.TocNode;
import java.util.List;

/// A part of a period that is summarised.
///
/// @param strand the piece of work that it belongs to: of a segment, its session, or the session
///   whose subagent it is; parts with the same text tell of the same piece of work
public record PeriodPart(TocNode node, String strand) {

  /// Parts that each tell of something else.
  public static List<PeriodPart> each(List<TocNode> nodes) {
    return nodes.stream().map(node -> new PeriodPart(node, node.id().value())).toList();
  }
}
