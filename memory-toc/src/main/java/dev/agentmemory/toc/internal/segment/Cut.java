package dev.agentmemory.toc.internal.segment;

import dev.agentmemory.types.Boundary;
import dev.agentmemory.types.SegmentEntry;
import java.util.List;

/// The part of a session between two boundaries.
///
/// @param entries its events in time order, never empty
/// @param boundary why it ends
public record Cut(List<SegmentEntry> entries, Boundary boundary) {

  public Cut {
    entries = List.copyOf(entries);
  }
}
