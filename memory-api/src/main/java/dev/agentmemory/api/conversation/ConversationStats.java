package dev.agentmemory.api.conversation;

import dev.agentmemory.api.recall.MemoryKind;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/// The counts of a conversation's memories and scratchpad.
///
/// @param memories how many memories there are, by kind; kinds without any are absent
/// @param scratchpadEntries entries of the scratchpad
/// @param bytes size of memories and scratchpad, which the quota limits
/// @param quotaBytes the quota
/// @param lastAccess when one of the memories was last read; empty if never
/// @param lastCompaction empty if there was none
public record ConversationStats(
    ConversationView conversation,
    Map<MemoryKind, Long> memories,
    long scratchpadEntries,
    long bytes,
    long quotaBytes,
    Optional<Instant> lastAccess,
    Optional<Instant> lastCompaction) {

  public ConversationStats {
    memories = Map.copyOf(memories);
  }

  /// How many memories there are of all kinds.
  public long totalMemories() {
    return memories.values().stream().mapToLong(Long::longValue).sum();
  }
}
