package dev.agentmemory.api.recall;

import java.util.List;

/// The memories that a memory refers to.
///
/// @param memories the nearest first
/// @param skipped how many were left out because their checksum does not match
public record RelatedMemories(List<RelatedMemory> memories, long skipped) {

  public RelatedMemories {
    memories = List.copyOf(memories);
  }
}
