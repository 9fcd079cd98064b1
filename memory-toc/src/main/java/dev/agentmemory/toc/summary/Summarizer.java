package dev.agentmemory.toc.summary;

import dev.agentmemory.types.TocLevel;
import java.util.List;

/// Says in a few statements what was said at length. Equal input gives equal output, so that a
/// rebuild after a crash writes the same table of contents.
public interface Summarizer {

  /// The name that nodes carry as their author, such as `extractive`.
  String name();

  /// Summarises a segment. Every point names the events that support it; the caller that stores it
  /// checks that.
  Summary summarize(SegmentText passage);

  /// Summarises a period from the summaries of its parts, never from events.
  ///
  /// @param level the level of the period: day, week, month or year
  /// @param parts in time order
  Digest digest(TocLevel level, List<PeriodPart> parts);
}
