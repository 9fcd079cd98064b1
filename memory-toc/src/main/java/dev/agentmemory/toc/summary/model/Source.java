package dev.agentmemory.toc.summary.model;

import dev.agentmemory.toc.text.Graphemes;
import dev.agentmemory.types.EventRole;
import java.util.Optional;

/// What a statement may rest on: an event, or a bullet of a part of a period.
final class Source {

  /// Further text of one source bears nothing; no model reads that much of one event.
  static final int MOST_CHARS = 100_000;

  private final int number;
  private final String original;
  private final String text;
  private final String speaker;
  private final Optional<EventRole> role;
  private final Folded folded;
  private final Wording wording;

  /// @param number as the model cites it, 1 and up
  /// @param original what is stored
  /// @param text what the model may read: the same, with secrets masked
  /// @param speaker the name of who says it, empty when only the role is known
  /// @param role who says it; empty for a bullet
  Source(int number, String original, String text, String speaker, Optional<EventRole> role) {
    this.number = number;
    this.original = original;
    this.text = text.length() > MOST_CHARS ? Graphemes.head(text, MOST_CHARS) : text;
    this.speaker = speaker;
    this.role = role;
    this.folded = Folded.of(this.text);
    this.wording = Wording.of(this.text);
  }

  int number() {
    return number;
  }

  String original() {
    return original;
  }

  String text() {
    return text;
  }

  String speaker() {
    return speaker;
  }

  Optional<EventRole> role() {
    return role;
  }

  Folded folded() {
    return folded;
  }

  Wording wording() {
    return wording;
  }
}
