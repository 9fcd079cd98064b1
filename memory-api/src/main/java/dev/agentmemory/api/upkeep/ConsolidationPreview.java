package dev.agentmemory.api.upkeep;

import dev.agentmemory.types.MemoryId;
import java.util.List;

/// What a consolidation would do.
///
/// @param counts of all changes
/// @param first the first changes, at most [#SHOWN]
public record ConsolidationPreview(ConsolidationCounts counts, List<Planned> first) {

  public static final int SHOWN = 100;

  /// A memory that would be changed.
  ///
  /// @param change the name of the count that it is in, such as `promoted`
  public record Planned(MemoryId id, String change) {}

  public ConsolidationPreview {
    first = List.copyOf(first);
  }
}
