package dev.agentmemory.api.upkeep;

import dev.agentmemory.types.MemoryId;
import java.util.List;

/// What a consolidation would do.
///
/// @param counts of all changes of memories
/// @param shared how many memories of the account it would make of preferences that another
///   workspace states, too
/// @param first the first changes, at most [#SHOWN]
public record ConsolidationPreview(ConsolidationCounts counts, long shared, List<Planned> first) {

  public static final int SHOWN = 100;

  /// A memory that would be changed.
  ///
  /// @param change the name of the count that it is in, such as `promoted`
  public record Planned(MemoryId id, String change) {}

  public ConsolidationPreview {
    first = List.copyOf(first);
  }
}
