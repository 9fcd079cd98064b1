package dev.agentmemory.recall.internal.table;

import dev.agentmemory.text.StatementIdentity;
import java.util.Optional;

/// Identifies what a memory says.
///
/// @param exact equal for texts that state the same in the same words; empty for a text without
///   words
/// @param core equal for texts that may state the same in other words
public record MemoryStatement(Optional<StatementIdentity> exact, Optional<StatementIdentity> core) {

  public static MemoryStatement of(String text) {
    return new MemoryStatement(StatementIdentity.of(text), StatementIdentity.ofCore(text));
  }
}
