package dev.agentmemory.api.recall;

import java.util.List;

/// The result of a search.
///
/// @param textOnly whether no vectors were available, so that words alone decided
/// @param skipped how many memories were left out because their checksum does not match
/// @param omitted how many of the last results were left out because the answer of a daemon would
///   be too large; 0 in the process of the daemon
public record MemoryAnswer(List<MemoryHit> hits, boolean textOnly, long skipped, long omitted) {

  public MemoryAnswer {
    hits = List.copyOf(hits);
  }

  /// A complete result.
  public MemoryAnswer(List<MemoryHit> hits, boolean textOnly, long skipped) {
    this(hits, textOnly, skipped, 0);
  }
}
