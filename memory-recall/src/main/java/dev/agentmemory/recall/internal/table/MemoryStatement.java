package dev.agentmemory.recall.internal.table;

import dev.agentmemory.text.StatementIdentity;
import java.util.Optional;

/// Identifies what a memory says.
///
/// @param exact equal for texts that state the same in the same words; empty for a text without
///   words
/// @param core equal for texts that may state the same in other words
/// @param words what it is compared by with other statements; empty when it takes no part in that
public record MemoryStatement(
    Optional<StatementIdentity> exact,
    Optional<StatementIdentity> core,
    Optional<StatedWords> words) {

  public static MemoryStatement of(String text) {
    StatementIdentity.Both identities = StatementIdentity.both(text);
    return new MemoryStatement(identities.exact(), identities.core(), StatedWords.of(text));
  }
}
