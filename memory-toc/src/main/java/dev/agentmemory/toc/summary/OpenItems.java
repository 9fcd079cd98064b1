package dev.agentmemory.toc.summary;

import dev.agentmemory.text.Lexicon;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/// Tells sentences that say what is left to do from those that say what is done.
public final class OpenItems {

  private static final Lexicon WORDS = Lexicon.beside(OpenItems.class, "open-items.txt");
  private static final List<String> LABELS = WORDS.phrases("label");
  private static final List<String> OPENINGS = WORDS.phrases("opening");
  private static final List<String> SAYINGS = WORDS.phrases("saying");
  private static final Set<String> DENIALS = WORDS.words("denial");
  private static final Pattern NO_WORD = Pattern.compile("[^\\p{L}']+");
  private static final String BEHIND_A_LABEL = ":–—-";

  private OpenItems() {}

  /// Whether a sentence says that something is not done, does not work or has to follow.
  public static boolean isOpen(String sentence) {
    String text = folded(sentence);
    // No streams: every bullet is asked for each phrase.
    for (String label : LABELS) {
      if (isLabelled(text, label)) {
        return true;
      }
    }
    for (String opening : OPENINGS) {
      if (stands(text, opening, 0)) {
        return true;
      }
    }
    for (String saying : SAYINGS) {
      if (says(text, saying)) {
        return true;
      }
    }
    return false;
  }

  /// The sentence without a label such as `Next step:` in front.
  public static String subject(String sentence) {
    String text = folded(sentence);
    return LABELS.stream()
        .filter(label -> isLabelled(text, label))
        .findFirst()
        .map(label -> sentence.strip().substring(label.length()))
        .orElse(sentence);
  }

  /// Whether a sentence has a word that denies something.
  public static boolean denies(String sentence) {
    return NO_WORD.splitAsStream(folded(sentence)).anyMatch(DENIALS::contains);
  }

  private static String folded(String sentence) {
    return sentence.strip().toLowerCase(Locale.ROOT).replace('’', '\'');
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
