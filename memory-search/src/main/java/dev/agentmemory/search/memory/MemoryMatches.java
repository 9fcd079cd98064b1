package dev.agentmemory.search.memory;

import dev.agentmemory.types.SessionId;
import java.util.List;
import java.util.Optional;

/// The curated memories that match a question.
///
/// @param memories the best first
/// @param textOnly whether words alone decided, because there are no vectors or none was asked for
/// @param skipped how many were left out because their checksum does not match
public record MemoryMatches(List<FoundMemory> memories, boolean textOnly, long skipped) {

  public static final MemoryMatches NONE = new MemoryMatches(List.of(), /* textOnly= */ true, 0);

  public MemoryMatches {
    memories = List.copyOf(memories);
  }

  /// The same without those that come from a session.
  public MemoryMatches without(SessionId session) {
    return new MemoryMatches(
        memories.stream()
            .filter(memory -> memory.session().filter(session::equals).isEmpty())
            .toList(),
        textOnly,
        skipped);
  }

  /// Why an answer with them lacks something.
  ///
  /// @param before why it does already
  public Optional<String> degraded(Optional<String> before) {
    if (skipped == 0) {
      return before;
    }
    String why =
        "memories whose checksum does not match are left out (%d); run `memory doctor --deep`"
            .formatted(skipped);
    return Optional.of(before.map(one -> one.contains(why) ? one : one + "; " + why).orElse(why));
  }
}
