package dev.agentmemory.recall.extract;

import dev.agentmemory.api.recall.Tag;
import dev.agentmemory.recall.internal.grammar.WordToken;
import dev.agentmemory.text.Lexicon;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/// Suggests tags by single words.
final class Topics {

  private static final int MOST = 3;
  private static final Map<String, String> TAGS =
      Lexicon.beside(Topics.class, "topics.txt").keys("topic");

  private Topics() {}

  /// The tags of the first words that suggest one; may be empty.
  static List<Tag> of(List<WordToken> tokens) {
    var tags = new LinkedHashSet<String>();
    for (WordToken token : tokens) {
      String tag = TAGS.get(token.key());
      if (tag != null && tags.size() < MOST) {
        tags.add(tag);
      }
    }
    return tags.stream().map(Tag::new).toList();
  }
}
