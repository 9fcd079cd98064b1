package dev.agentmemory.search.memory;

import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.Tag;
import dev.agentmemory.api.search.Parts;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/// A curated memory that was found.
///
/// @param session the session that it comes from
/// @param time when it was made
/// @param relevance 0 to 1
/// @param parts what the relevance is made of: ranks, cosine and decay, and the features by name
public record FoundMemory(
    MemoryId id,
    String text,
    MemoryKind kind,
    Set<Tag> tags,
    Optional<SessionId> session,
    Instant time,
    double relevance,
    Parts parts) {

  /// @throws IllegalArgumentException when the relevance lies outside 0 to 1
  public FoundMemory {
    tags = Set.copyOf(tags);
    // NaN fails both comparisons.
    if (!(relevance >= 0 && relevance <= 1)) {
      throw new IllegalArgumentException("relevance outside 0 to 1: " + relevance);
    }
  }

  /// How a text cites it: `[mem:01KG7...]`.
  public String citation() {
    return "[mem:" + id.value() + ']';
  }
}
