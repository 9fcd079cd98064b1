package dev.agentmemory.recall.internal.table;

import dev.agentmemory.text.StatementIdentity;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Identifies what a memory says.
public final class MemoryStatement {

  // Not optional: there is one of each memory.
  private final @Nullable StatementIdentity exact;
  private final @Nullable StatementIdentity core;
  private final @Nullable StatedWords words;

  private MemoryStatement(StatementIdentity.Both identities, Optional<StatedWords> words) {
    this.exact = identities.exact().orElse(null);
    this.core = identities.core().orElse(null);
    this.words = words.orElse(null);
  }

  public static MemoryStatement of(String text) {
    return new MemoryStatement(StatementIdentity.both(text), StatedWords.of(text));
  }

  /// Equal for texts that state the same in the same words; empty for a text without words.
  public Optional<StatementIdentity> exact() {
    return Optional.ofNullable(exact);
  }

  /// Equal for texts that may state the same in other words.
  public Optional<StatementIdentity> core() {
    return Optional.ofNullable(core);
  }

  /// What it is compared by with other statements; empty when it takes no part in that.
  public Optional<StatedWords> words() {
    return Optional.ofNullable(words);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof MemoryStatement same
        && Objects.equals(exact, same.exact)
        && Objects.equals(core, same.core)
        && Objects.equals(words, same.words);
  }

  @Override
  public int hashCode() {
    return Objects.hash(exact, core, words);
  }
}
