package dev.agentmemory.api.recall;

import java.util.List;

/// The former states of a memory.
///
/// @param states the latest first
/// @param skipped how many were left out because their checksum does not match
public record MemoryHistory(List<MemoryState> states, long skipped) {

  public MemoryHistory {
    states = List.copyOf(states);
  }
}
