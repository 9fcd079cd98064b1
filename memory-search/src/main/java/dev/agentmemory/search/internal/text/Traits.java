package dev.agentmemory.search.internal.text;

import dev.agentmemory.types.EventRole;
import java.util.List;

/// What a turn's text says about its worth as evidence, whatever is asked. Kept as one number with
/// the document.
///
/// @param question whether the turn asks: its last sentence ends with a question mark
/// @param named whether the speaker has a name, not just a role
/// @param role who speaks
/// @param chars length of the text in UTF-16 units
public record Traits(boolean question, boolean named, EventRole role, int chars) {

  /// Never reordered: places in it are in the index.
  private static final List<EventRole> ROLES =
      List.of(EventRole.USER, EventRole.ASSISTANT, EventRole.SYSTEM, EventRole.TOOL);

  /// Where a tail of the text is still taken for its end.
  private static final int TAIL = 3;

  /// No turn at all.
  public static final Traits NONE = new Traits(false, false, EventRole.SYSTEM, 0);

  public static Traits of(boolean named, EventRole role, String text) {
    String stripped = text.strip();
    int bracket = stripped.endsWith("]") ? stripped.lastIndexOf('[') : -1;
    String said = bracket > 0 ? stripped.substring(0, bracket).stripTrailing() : stripped;
    boolean asks =
        said.substring(Math.max(0, said.length() - TAIL)).chars().anyMatch(Traits::isQuestionMark);
    return new Traits(asks, named, role, text.length());
  }

  /// Of Latin script, of full width, Arabic.
  private static boolean isQuestionMark(int c) {
    return c == '?' || c == '\uff1f' || c == '\u061f';
  }

  public static Traits of(long packed) {
    return new Traits(
        (packed & 1) == 1,
        (packed & 2) == 2,
        ROLES.get((int) (packed >>> 2 & 3)),
        (int) (packed >>> 4));
  }

  /// Whether a person or an agent said it.
  public boolean isSpoken() {
    return switch (role) {
      case USER, ASSISTANT -> true;
      case SYSTEM, TOOL -> false;
    };
  }

  public long packed() {
    return (long) chars << 4
        | (long) ROLES.indexOf(role) << 2
        | (named ? 2 : 0)
        | (question ? 1 : 0);
  }
}
