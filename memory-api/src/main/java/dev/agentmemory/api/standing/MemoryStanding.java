package dev.agentmemory.api.standing;

import dev.agentmemory.api.recall.MemoryHit;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.types.MemoryId;
import java.util.List;

/// Where a memory stands at a time.
///
/// @param why the factors of its relevance, without a query
/// @param replaced memories that it has replaced by then, directly or through others, the latest
///   first
public record MemoryStanding(
    MemoryRecord memory, MemoryHit.Why why, DecayLaw decay, List<MemoryId> replaced) {

  public MemoryStanding {
    replaced = List.copyOf(replaced);
  }

  public double relevance() {
    return why.product();
  }
}
