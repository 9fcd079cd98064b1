package dev.agentmemory.toc;

import dev.agentmemory.types.Boundary;
import dev.agentmemory.types.SegmentEntry;
import java.util.List;

/// A stretch of a session between two boundaries.
///
/// @param entries its events in time order, never empty
/// @param boundary why it ends
record Cut(List<SegmentEntry> entries, Boundary boundary) {

  Cut {
    entries = List.copyOf(entries);
  }
}
