package dev.agentmemory.recall.upkeep;

import dev.agentmemory.api.upkeep.ConsolidationCounts;
import dev.agentmemory.recall.internal.table.MemoryEntry;
import dev.agentmemory.types.MemoryId;
import java.util.List;
import java.util.stream.Stream;

/// What a run is going to do in one collection.
///
/// @param scored how many memories it looked at
record UpkeepPlan(long scored, List<UpkeepStep> steps) {

  ConsolidationCounts counts() {
    return steps.stream().map(UpkeepStep::counts).reduce(scoredOnly(), UpkeepPlan::sum);
  }

  /// The memories that are removed or replaced.
  Stream<MemoryId> gone() {
    return steps.stream().flatMap(step -> step.gone().stream()).map(MemoryEntry::id);
  }

  /// The counts before the first step.
  ConsolidationCounts scoredOnly() {
    return new ConsolidationCounts(scored, 0, 0, 0, 0, 0, 0);
  }

  static ConsolidationCounts sum(ConsolidationCounts one, ConsolidationCounts other) {
    return new ConsolidationCounts(
        one.scored() + other.scored(),
        one.promoted() + other.promoted(),
        one.pruned() + other.pruned(),
        one.merged() + other.merged(),
        one.superseded() + other.superseded(),
        one.capped() + other.capped(),
        one.expired() + other.expired());
  }
}
