package dev.agentmemory.recall.orient;

import dev.agentmemory.text.Graphemes;
import java.util.Optional;

/// A line that can stand in the document.
///
/// @param id tells it from all other lines
/// @param key orders the lines of a section, ascending
/// @param parent id of the line that it belongs to; it stands indented below it, and not without it
/// @param head what stands before the text; may be empty
/// @param text in one line, see [OneLineText#of]
/// @param chars at most that many characters of the text are shown, an ellipsis included
record OrientLine(
    OrientSection section,
    String id,
    String key,
    Optional<String> parent,
    String head,
    String text,
    int chars,
    Optional<OrientCitation> citation) {

  /// Characters that a text gets before all lines have been considered.
  static final int FIRST_CHARS = 280;

  /// A line that is cited.
  static OrientLine cited(
      OrientSection section, String key, String head, String text, OrientCitation citation) {
    return new OrientLine(
        section,
        citation.id(),
        key,
        Optional.empty(),
        head,
        text,
        FIRST_CHARS,
        Optional.of(citation));
  }

  OrientLine withKey(String changed) {
    return new OrientLine(section, id, changed, parent, head, text, chars, citation);
  }

  OrientLine withId(String changed) {
    return new OrientLine(section, changed, key, parent, head, text, chars, citation);
  }

  OrientLine withChars(int changed) {
    return new OrientLine(section, id, key, parent, head, text, changed, citation);
  }

  /// The same below another line.
  OrientLine below(OrientLine other) {
    return new OrientLine(section, id, key, Optional.of(other.id()), head, text, chars, citation);
  }

  boolean isShortened() {
    return chars < text.length();
  }

  /// Head and as much of the text as is shown.
  String said() {
    String shown = Graphemes.shorten(text, chars);
    return head.isEmpty() ? OneLineText.escapedAtStart(shown) : head + OneLineText.escaped(shown);
  }

  /// The line with its line feed.
  String markdown() {
    String indent = parent.isPresent() ? "  - " : "- ";
    return indent + said() + citation.map(one -> ' ' + one.text()).orElse("") + '\n';
  }
}
