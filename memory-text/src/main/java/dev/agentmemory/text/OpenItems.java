package dev.agentmemory.text;

import java.util.List;

/// Tells sentences that say what is left to do from those that say what is done.
public final class OpenItems {

  private static final Lexicon WORDS = Lexicon.beside(OpenItems.class, "open-items.txt");
  private static final List<String> OPENINGS = WORDS.phrases("opening");
  private static final List<String> SAYINGS = WORDS.phrases("saying");

  private OpenItems() {}

  /// Whether a sentence says that something is not done, does not work or has to follow.
  public static boolean isOpen(String sentence) {
    String text = Terms.fold(sentence.strip()).replace('’', '\'');
    return OPENINGS.stream().anyMatch(opening -> begins(text, opening, 0))
        || SAYINGS.stream().anyMatch(saying -> says(text, saying));
  }

  private static boolean says(String text, String saying) {
    for (int at = text.indexOf(saying); at >= 0; at = text.indexOf(saying, at + 1)) {
      boolean starts = at == 0 || !Character.isLetterOrDigit(text.charAt(at - 1));
      if (starts && begins(text, saying, at)) {
        return true;
      }
    }
    return false;
  }

  private static boolean begins(String text, String phrase, int at) {
    int end = at + phrase.length();
    return text.startsWith(phrase, at)
        && (end == text.length() || !Character.isLetterOrDigit(text.charAt(end)));
  }
}
