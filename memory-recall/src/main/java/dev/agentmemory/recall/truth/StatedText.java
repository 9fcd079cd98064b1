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
  private final Optional<StatementIdentity> identity;
  private @Nullable StatementContent content;

  public StatedText(MemoryKind kind, String text) {
    this(kind, text, StatementIdentity.of(text));
  }

  /// @param identity of the text
  public StatedText(MemoryKind kind, String text, Optional<StatementIdentity> identity) {
    this.kind = Objects.requireNonNull(kind, "kind");
    this.text = text;
    if (text.isBlank()) {
      throw new IllegalArgumentException("the statement is blank");
    }
    this.identity = identity;
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
    return identity;
  }
}
