package dev.agentmemory.toc.summary;

import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.util.Collections;
import java.util.List;

/// A part of a period that is summarised.
///
/// @param strands the work that each bullet of the node tells of, in the order of the bullets
public record PeriodPart(TocNode node, List<Strand> strands) {

  /// @throws IllegalArgumentException when not every bullet has a strand
  public PeriodPart {
    strands = List.copyOf(strands);
    if (strands.size() != node.bullets().size()) {
      throw new IllegalArgumentException(
          node.id() + ": " + strands.size() + " strands of " + node.bullets().size() + " bullets");
    }
  }

  /// A part with a single strand.
  public static PeriodPart of(TocNode node, Strand strand) {
    return new PeriodPart(node, Collections.nCopies(node.bullets().size(), strand));
  }

  /// Parts that each tell of something else. The title of a period is a date, which says nothing of
  /// the work.
  public static List<PeriodPart> each(List<TocNode> nodes) {
    return nodes.stream()
        .map(node ->
            of(
                node,
                new Strand(
                    node.id().value(), node.level() == TocLevel.SEGMENT ? node.title() : "")))
        .toList();
  }
}
