package dev.agentmemory.api.recall;

import java.util.List;

/// A memory that was reached by references.
///
/// @param depth how many references were followed, 1 and up
public record RelatedMemory(MemoryRecord memory, int depth) {

  /// The memories that a memory refers to.
  ///
  /// @param memories the nearest first
  /// @param skipped how many were left out because their checksum does not match
  /// @param omitted how many of the farthest were left out because there are more than
  ///   [MemorySearch#MAX_LIMIT]
  public record Answer(List<RelatedMemory> memories, long skipped, long omitted) {

    public Answer {
      memories = List.copyOf(memories);
    }
  }
}
