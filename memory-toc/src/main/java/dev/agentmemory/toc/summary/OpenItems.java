package dev.agentmemory.toc.summary;

import dev.agentmemory.text.Lexicon;
import java.util.List;
import java.util.Locale;

/// Tells sentences that say what is left to do from those that say what is done.
public final class OpenItems {

  private static final Lexicon WORDS = Lexicon.beside(OpenItems.class, "open-items.txt");
  private static final List<String> LABELS = WORDS.phrases("label");
  private static final List<String> OPENINGS = WORDS.phrases("opening");
  private static final List<String> SAYINGS = WORDS.phrases("saying");
  private static final String BEHIND_A_LABEL = ":–—-";

  private OpenItems() {}

  /// Whether a sentence says that something is not done, does not work or has to follow.
  public static boolean isOpen(String sentence) {
    String text = sentence.strip().toLowerCase(Locale.ROOT).replace('’', '\'');
    return LABELS.stream().anyMatch(label -> isLabelled(text, label))
        || OPENINGS.stream().anyMatch(opening -> stands(text, opening, 0))
        || SAYINGS.stream().anyMatch(saying -> says(text, saying));
  }

  private static boolean isLabelled(String text, String label) {
    String behind = text.startsWith(label) ? text.substring(label.length()).stripLeading() : "";
    return !behind.isEmpty() && BEHIND_A_LABEL.indexOf(behind.charAt(0)) >= 0;
  }

  private static boolean says(String text, String saying) {
    for (int at = text.indexOf(saying); at >= 0; at = text.indexOf(saying, at + 1)) {
      boolean starts = at == 0 || !Character.isLetterOrDigit(text.charAt(at - 1));
      if (starts && stands(text, saying, at)) {
        return true;
      }
    }
    return false;
  }

  private static boolean stands(String text, String phrase, int at) {
    int end = at + phrase.length();
    return text.startsWith(phrase, at)
        && (end == text.length() || !Character.isLetterOrDigit(text.charAt(end)));
  }
}
