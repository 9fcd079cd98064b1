package dev.agentmemory.api.recall;

import java.util.List;

/// The result of a search.
///
/// @param textOnly whether no vectors were available, so that words alone decided
/// @param skipped how many memories were left out because their checksum does not match
public record MemoryAnswer(List<MemoryHit> hits, boolean textOnly, long skipped) {

  public MemoryAnswer {
    hits = List.copyOf(hits);
  }
}
