package dev.agentmemory.text;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// The words that determine what a text states, in their order.
///
/// Differences that cannot change a statement are removed: case (not of units, names in code,
/// abbreviations and single letters), spaces, quotes, the width of characters, the kind of a
/// sentence mark, marks at the end of the text, and [Fillers]. The end of a clause is kept: `No,
/// usamos Kafka` says the opposite of `No usamos Kafka`. Characters at the edge of a word that may
/// be code or mathematics are kept: `!ready`, `./run`, `!=`, `5"`, and all brackets.
final class StatementWords {

  /// Represents the end of a clause. It equals no word.
  private static final String BREAK = ",";

  /// Represents a question.
  private static final String ASKS = "?";

  /// What [#of] returns in place of marks.
  static final Set<String> MARK_WORDS = Set.of(BREAK, ASKS);

  private static final String QUESTION_MARKS = "?\u061f";

  /// Marks that end clauses, or begin them in Spanish.
  private static final String MARKS =
      ".,;:!\u2026\u00bf\u00a1\u3001\u3002\uff61\u060c\u061b\u06d4\u0964";

  /// At the beginning of a word these may be a part of it: a path, a symbol, a negation.
  private static final String LEADING = ".:!";

  private static final String QUOTES =
      "\"'`\u00ab\u00bb\u2018\u2019\u201a\u201c\u201d\u201e\u300c\u300d\u300e\u300f\u3010\u3011"
          + "\u300a\u300b";

  /// This number of dots, or more, is not part of a path.
  private static final int ELLIPSIS = 3;

  private final List<String> words = new ArrayList<>();
  private boolean afterNumber;

  private StatementWords() {}

  /// @return empty when the text contains only spaces, punctuation and fillers
  static List<String> of(String text) {
    var reading = new StatementWords();
    String folded = Normalizer.normalize(narrow(text), Normalizer.Form.NFC);
    int start = 0;
    for (int i = 0; i <= folded.length(); i++) {
      if (i == folded.length() || isSpace(folded.charAt(i))) {
        reading.read(folded.substring(start, i));
        start = i + 1;
      }
    }
    List<String> words = Fillers.without(reading.words, BREAK);
    while (!words.isEmpty() && isMark(words.getLast())) {
      words = words.subList(0, words.size() - 1);
    }
    return words.stream().allMatch(StatementWords::isPunctuation) ? List.of() : List.copyOf(words);
  }

  private static boolean isSpace(char c) {
    return Character.isSpaceChar(c) || (c >= '\t' && c <= '\r');
  }

  /// Replaces Latin letters, digits and punctuation of full width by those of normal width. No
  /// other compatibility form is folded, because 10² is not 102.
  private static String narrow(String text) {
    StringBuilder narrow = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      narrow.append(c >= '\uff01' && c <= '\uff5e' ? (char) (c - 0xfee0) : c);
    }
    return narrow.toString();
  }

  /// @param chunk of the text, without spaces
  private void read(String chunk) {
    if (chunk.isEmpty()) {
      return;
    }
    int end = end(chunk);
    int start = start(chunk, end);
    if (start == end) {
      readPunctuation(chunk);
      return;
    }
    if (holds(chunk, 0, start, MARKS)) {
      addBreak();
    }
    String word = chunk.substring(start, end).replace('\u2019', '\'').replace('\u201d', '"');
    words.add(isExact(word) ? word : word.toLowerCase(Locale.ROOT));
    afterNumber = Character.isDigit(word.codePointBefore(word.length()));
    if (holds(chunk, end, chunk.length(), QUESTION_MARKS)) {
      words.add(ASKS);
    } else if (holds(chunk, end, chunk.length(), MARKS)) {
      addBreak();
    }
  }

  /// Handles marks that stand alone. One or two dots are a path, and an exclamation mark is a
  /// negation.
  private void readPunctuation(String chunk) {
    if (holds(chunk, 0, chunk.length(), QUESTION_MARKS)) {
      words.add(ASKS);
    } else if (chunk.equals(".") || chunk.equals("..") || chunk.equals("!")) {
      words.add(chunk);
    } else if (holds(chunk, 0, chunk.length(), MARKS)) {
      addBreak();
    }
  }

  private void addBreak() {
    if (!words.isEmpty() && !isMark(words.getLast())) {
      words.add(BREAK);
    }
  }

  /// The end of a chunk's word; 0 when it has none.
  private static int end(String chunk) {
    int end = chunk.length();
    while (end > 0 && isEdge(chunk.charAt(end - 1)) && !isUnit(chunk, end - 1)) {
      end--;
    }
    return end;
  }

  /// Whether a quote is a unit (feet, inches, minutes, seconds): it follows a digit and closes no
  /// other quote.
  private static boolean isUnit(String chunk, int at) {
    return at > 0
        && QUOTES.indexOf(chunk.charAt(at)) >= 0
        && Character.isDigit(chunk.charAt(at - 1))
        && QUOTES.indexOf(chunk.charAt(0)) < 0;
  }

  private static int start(String chunk, int end) {
    int start = 0;
    while (start < end && isEdge(chunk.charAt(start)) && !isPart(chunk, start, end)) {
      start++;
    }
    return start;
  }

  private static boolean isPart(String chunk, int at, int end) {
    char c = chunk.charAt(at);
    if (c == ',') {
      return Character.isDigit(chunk.charAt(at + 1));
    }
    return LEADING.indexOf(c) >= 0 && !isEllipsis(chunk, at, end);
  }

  private static boolean isEllipsis(String chunk, int at, int end) {
    int from = at;
    while (from > 0 && chunk.charAt(from - 1) == '.') {
      from--;
    }
    int to = at;
    while (to < end && chunk.charAt(to) == '.') {
      to++;
    }
    return to - from >= ELLIPSIS;
  }

  /// Whether the case matters. It does for a unit, an abbreviation and a name in code: 5 mW, 5 MW;
  /// us, US; getID, getId; n, N.
  private boolean isExact(String word) {
    boolean letter = word.codePointCount(0, word.length()) == 1;
    boolean begins = words.isEmpty() || isMark(words.getLast());
    return afterNumber
        || Identifiers.isIdentifier(word)
        || (letter && !begins)
        || hasInnerCapital(word);
  }

  private static boolean hasInnerCapital(String word) {
    int i = word.offsetByCodePoints(0, 1);
    while (i < word.length()) {
      int c = word.codePointAt(i);
      if (Character.isUpperCase(c)) {
        return true;
      }
      i += Character.charCount(c);
    }
    return false;
  }

  private static boolean isEdge(char c) {
    return MARKS.indexOf(c) >= 0 || QUESTION_MARKS.indexOf(c) >= 0 || QUOTES.indexOf(c) >= 0;
  }

  private static boolean holds(String chunk, int from, int to, String any) {
    for (int i = from; i < to; i++) {
      if (any.indexOf(chunk.charAt(i)) >= 0) {
        return true;
      }
    }
    return false;
  }

  private static boolean isMark(String word) {
    return word.equals(BREAK) || word.equals("!");
  }

  private static boolean isPunctuation(String word) {
    for (int i = 0; i < word.length(); i++) {
      if (!isEdge(word.charAt(i))) {
        return false;
      }
    }
    return true;
  }
}
