package dev.agentmemory.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Finds sentences. A full stop ends a sentence only before white space (ideographic full stops
/// need none), so that versions, paths and identifiers are not cut.
public final class Sentences {

  private static final Set<String> ABBREVIATIONS =
      Lexicon.beside(Sentences.class, "abbreviations.txt").words("abbreviation");

  private Sentences() {}

  /// The sentences between two indexes, in order, without surrounding white space.
  public static List<Slice> split(String text, int from, int to) {
    var sentences = new ArrayList<Slice>();
    int start = from;
    for (int i = from; i < to; i++) {
      if (!isTerminator(text.charAt(i))) {
        continue;
      }
      int end = closing(text, i, to);
      if (endsSentence(text, start, i, end, to)) {
        add(sentences, text, start, end);
        start = end;
      }
      i = end - 1;
    }
    add(sentences, text, start, to);
    return sentences;
  }

  private static void add(List<Slice> sentences, String text, int from, int to) {
    int start = from;
    int end = to;
    while (start < end && Character.isWhitespace(text.charAt(start))) {
      start++;
    }
    while (end > start && Character.isWhitespace(text.charAt(end - 1))) {
      end--;
    }
    if (end > start) {
      sentences.add(new Slice(start, end));
    }
  }

  /// The index after a run of terminators and the quotes or brackets that close with it.
  private static int closing(String text, int at, int to) {
    int end = at + 1;
    while (end < to
        && (isTerminator(text.charAt(end)) || "\"')]”’»」』）*_".indexOf(text.charAt(end)) >= 0)) {
      end++;
    }
    return end;
  }

  private static boolean endsSentence(String text, int start, int at, int end, int to) {
    char c = text.charAt(at);
    if (c == '。' || c == '！' || c == '？') {
      return true;
    }
    if (end < to && !Character.isWhitespace(text.charAt(end))) {
      return false;
    }
    if (c != '.' || end >= to || end - at > 2) {
      return true;
    }
    int next = end;
    while (next < to && Character.isWhitespace(text.charAt(next))) {
      next++;
    }
    return next >= to || !continues(text, start, at, Character.isLowerCase(text.charAt(next)));
  }

  /// Whether a full stop belongs to the word before it. Before a lower-case letter a short word
  /// counts as an abbreviation even when no list contains it.
  private static boolean continues(String text, int start, int dot, boolean lowerNext) {
    boolean shortWord =
        dot - 4 < start
            || !Character.isLetter(text.charAt(dot - 4))
            || !Character.isLetter(text.charAt(dot - 3));
    return (lowerNext && shortWord) || isAbbreviation(text, start, dot);
  }

  private static boolean isAbbreviation(String text, int start, int dot) {
    int word = dot;
    while (word > start
        && (Character.isLetter(text.charAt(word - 1)) || text.charAt(word - 1) == '.')) {
      word--;
    }
    if (dot - word > 5) {
      return false;
    }
    // A single digit at the very start numbers a list; a single capital is an initial.
    boolean initial =
        dot - word == 1 && Character.isUpperCase(text.charAt(word)) && text.charAt(word) != 'I';
    boolean ordinal = word == dot && dot - start <= 3;
    return initial || ordinal || ABBREVIATIONS.contains(Terms.fold(text.substring(word, dot)));
  }

  private static boolean isTerminator(char c) {
    return switch (c) {
      case '.', '!', '?', '…', '。', '！', '？' -> true;
      default -> false;
    };
  }
}
