package dev.agentmemory.recall.truth;

import dev.agentmemory.api.recall.MemoryKind;
import java.util.Objects;

/// A statement with its kind.
public record StatedText(MemoryKind kind, String text) {

  public StatedText {
    Objects.requireNonNull(kind, "kind");
    if (text.isBlank()) {
      throw new IllegalArgumentException("the statement is blank");
    }
  }
}
