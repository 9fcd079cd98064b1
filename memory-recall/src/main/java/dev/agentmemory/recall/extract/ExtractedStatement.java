package dev.agentmemory.recall.extract;

import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.Tag;
import dev.agentmemory.recall.internal.grammar.QuotedSpans;
import dev.agentmemory.recall.internal.grammar.TokenReader;
import java.util.List;
import java.util.Objects;

/// A statement that is worth remembering.
///
/// @param kind decision, preference or finding
/// @param start index of its first UTF-16 unit in the turn's text
/// @param text the statement, character for character as it stands in the turn
/// @param importance from 0 to 1
/// @param tags subjects that its words suggest; may be empty
public record ExtractedStatement(
    MemoryKind kind, int start, String text, double importance, List<Tag> tags) {

  public ExtractedStatement {
    Objects.requireNonNull(kind, "kind");
    tags = List.copyOf(tags);
    if (start < 0 || text.isEmpty()) {
      throw new IllegalArgumentException("start " + start + " of \"" + text + "\"");
    }
    if (!(importance >= 0 && importance <= 1)) {
      throw new IllegalArgumentException("importance " + importance);
    }
  }

  /// A passage of a turn, with the tags that its words suggest.
  ///
  /// @param end index behind its last UTF-16 unit
  public static ExtractedStatement quoted(
      MemoryKind kind, String turn, int start, int end, double importance) {
    List<Tag> tags =
        Topics.of(TokenReader.read(turn, start, end, QuotedSpans.of(turn, start, end)));
    return new ExtractedStatement(kind, start, turn.substring(start, end), importance, tags);
  }

  /// The same statement at another place.
  ExtractedStatement at(int place) {
    return new ExtractedStatement(kind, place, text, importance, tags);
  }

  /// Index behind its last UTF-16 unit in the turn's text.
  public int end() {
    return start + text.length();
  }
}
