package dev.agentmemory.search.memory;

import dev.agentmemory.types.SessionId;
import java.util.List;

/// The curated memories that match a question.
///
/// @param memories the best first
/// @param textOnly whether words alone decided, because there are no vectors or none was asked for
public record MemoryMatches(List<FoundMemory> memories, boolean textOnly) {

  public static final MemoryMatches NONE = new MemoryMatches(List.of(), /* textOnly= */ true);

  public MemoryMatches {
    memories = List.copyOf(memories);
  }

  /// The same without those that come from a session.
  public MemoryMatches without(SessionId session) {
    return new MemoryMatches(
        memories.stream()
            .filter(memory -> memory.session().filter(session::equals).isEmpty())
            .toList(),
        textOnly);
  }
}
