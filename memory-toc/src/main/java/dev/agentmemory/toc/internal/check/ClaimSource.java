package dev.agentmemory.toc.internal.check;

import dev.agentmemory.text.Graphemes;
import dev.agentmemory.types.EventRole;
import java.util.Optional;

/// What a statement may rest on: an event, or a bullet of a part of a period.
public final class ClaimSource {

  /// Further text of one source bears nothing; no model reads that much of one event.
  static final int MOST_CHARS = 100_000;

  private static final int MOST_JOINED = 1_000_000;

  private final int number;
  private final String original;
  private final String text;
  private final String speaker;
  private final Optional<EventRole> role;
  private final Folded folded;
  private final ClaimWording wording;

  /// @param number as the model cites it, 1 and up
  /// @param original what is stored
  /// @param text what the model may read: the same, with secrets masked
  /// @param speaker the name of who says it, empty when only the role is known
  /// @param role who says it; empty for a bullet
  public ClaimSource(
      int number, String original, String text, String speaker, Optional<EventRole> role) {
    this(number, original, text, speaker, role, MOST_CHARS);
  }

  private ClaimSource(
      int number,
      String original,
      String text,
      String speaker,
      Optional<EventRole> role,
      int most) {
    this.number = number;
    this.original = original;
    this.text = text.length() > most ? Graphemes.head(text, most) : text;
    this.speaker = speaker;
    this.role = role;
    this.folded = Folded.of(this.text);
    this.wording = ClaimWording.of(this.text);
  }

  /// Several texts as one. What the parts of a day, or the events of a segment, say together is
  /// longer than one event may be.
  static ClaimSource joined(int number, String text) {
    return new ClaimSource(number, text, text, "", Optional.empty(), MOST_JOINED);
  }

  public int number() {
    return number;
  }

  String original() {
    return original;
  }

  public String text() {
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

  ClaimWording wording() {
    return wording;
  }
}
