package dev.agentmemory.recall.truth;

import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.text.StatementIdentity;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A statement with its kind. It is read once, however often it is compared. Not for several
/// threads.
public final class StatedText {

  private final MemoryKind kind;
  private final String text;
  private @Nullable StatementContent content;
  private @Nullable Optional<StatementIdentity> identity;

  public StatedText(MemoryKind kind, String text) {
    this.kind = Objects.requireNonNull(kind, "kind");
    this.text = text;
    if (text.isBlank()) {
      throw new IllegalArgumentException("the statement is blank");
    }
  }

  public String text() {
    return text;
  }

  public MemoryKind kind() {
    return kind;
  }

  StatementContent content() {
    StatementContent known = content;
    if (known == null) {
      known = StatementContent.of(text);
      content = known;
    }
    return known;
  }

  Optional<StatementIdentity> identity() {
    Optional<StatementIdentity> known = identity;
    if (known == null) {
      known = StatementIdentity.of(text);
      identity = known;
    }
    return known;
  }
}
