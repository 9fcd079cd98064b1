package dev.agentmemory.text;

import dev.agentmemory.text.Term.Kind;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Finds the terms of a text. A name from a program, a path, an error code or a version is one
/// term, followed by its parts. Ideographs and kana, which are written without spaces, are returned
/// as overlapping pairs.
public final class Terms {

  private static final int MAX_LENGTH = 80;
  private static final Map<String, Kind> KINDS = kinds();

  private final String text;
  private final List<Term> found = new ArrayList<>();

  private Terms(String text) {
    this.text = text;
  }

  private static Map<String, Kind> kinds() {
    Map<String, Kind> kinds = new HashMap<>();
    Lexicon.beside(Terms.class, "words.txt")
        .sections("stop", "polite", "generic")
        .forEach(
            (word, section) -> kinds.put(word, Kind.valueOf(section.toUpperCase(Locale.ROOT))));
    return kinds;
  }

  /// The terms of a text, in order, each followed by its parts.
  public static List<Term> of(String text) {
    return of(text, 0, text.length());
  }

  /// The terms between two indexes of a text.
  public static List<Term> of(String text, int from, int to) {
    var terms = new Terms(text);
    terms.scan(from, to);
    return terms.found;
  }

  /// Lower case and compatibility form, independent of the machine's locale.
  static String fold(String word) {
    for (int i = 0; i < word.length(); i++) {
      if (word.charAt(i) >= 0x80) {
        return Normalizer.normalize(word, Normalizer.Form.NFKC)
            .toLowerCase(Locale.ROOT)
            .replace('’', '\'');
      }
    }
    return word.toLowerCase(Locale.ROOT);
  }

  /// Whether a character belongs to a script that writes no spaces between words.
  public static boolean isCjk(char c) {
    return c >= 0x3005
        && (c <= 0x3006
            || (c >= 0x3041 && c <= 0x30FF && c != 0x30FB)
            || (c >= 0x3400 && c <= 0x9FFF)
            || (c >= 0xF900 && c <= 0xFAFF));
  }

  private void scan(int from, int to) {
    int at = from;
    while (at < to) {
      char c = text.charAt(at);
      int end = at + 1;
      if (isCjk(c)) {
        while (end < to && isCjk(text.charAt(end))) {
          end++;
        }
        run(at, end);
      } else if (Chunk.belongs(c)) {
        while (end < to && Chunk.belongs(text.charAt(end)) && !isCjk(text.charAt(end))) {
          end++;
        }
        chunk(at, end);
      }
      at = end;
    }
  }

  /// Handles a run of ideographs and kana, cut where the script changes. Katakana and short runs of
  /// ideographs are words, long ones are not cut into words, and hiragana is grammar.
  private void run(int start, int end) {
    String all = text.substring(start, end);
    if (KINDS.get(all) == Kind.POLITE) {
      found.add(new Term(Kind.POLITE, all, all, start, false));
      return;
    }
    int from = start;
    for (int i = start + 1; i <= end; i++) {
      if (i == end || Script.of(text.charAt(i)) != Script.of(text.charAt(from))) {
        piece(Script.of(text.charAt(from)), from, i);
        from = i;
      }
    }
  }

  private void piece(Script script, int start, int end) {
    boolean word =
        end - start > 1
            && (script == Script.KATAKANA || (script == Script.HAN && end - start <= 4));
    String all = text.substring(start, end);
    if (script == Script.HIRAGANA || end - start == 1) {
      found.add(new Term(Kind.STOP, all, all, start, false));
      return;
    }
    if (word) {
      found.add(new Term(isGrammar(start, end) ? Kind.STOP : Kind.WORD, all, all, start, false));
    }
    for (int i = start; i + 1 < end && !(word && end - start == 2); i++) {
      String pair = text.substring(i, i + 2);
      found.add(new Term(isGrammar(i, i + 2) ? Kind.STOP : Kind.CJK, pair, pair, i, word));
    }
  }

  /// Whether a piece of Chinese contains a character that only connects words.
  private boolean isGrammar(int start, int end) {
    for (int i = start; i < end; i++) {
      if (KINDS.get(text.substring(i, i + 1)) == Kind.STOP) {
        return true;
      }
    }
    return false;
  }

  private enum Script {
    HIRAGANA,
    KATAKANA,
    HAN;

    static Script of(char c) {
      if (c >= 0x3041 && c <= 0x309F) {
        return HIRAGANA;
      }
      return c >= 0x30A0 && c <= 0x30FF ? KATAKANA : HAN;
    }
  }

  private void chunk(int from, int to) {
    var chunk = Chunk.trimmed(text, from, to);
    if (chunk.isEmpty()) {
      return;
    }
    switch (chunk.shape()) {
      case WORD -> word(chunk.start(), chunk.end(), false);
      case COMPOUND -> whole(Kind.WORD, chunk, true);
      case SEPARATE -> parts(chunk, false);
      case NUMBER -> whole(Kind.NUMBER, chunk, false);
      case IDENTIFIER -> whole(Kind.IDENTIFIER, chunk, true);
      case PATH -> whole(Kind.PATH, chunk, true);
      case CODE -> whole(Kind.CODE, chunk, false);
      case OPAQUE -> whole(Kind.OPAQUE, chunk, false);
    }
  }

  private void whole(Kind kind, Chunk chunk, boolean andParts) {
    String written =
        text.substring(chunk.start(), Math.min(chunk.end(), chunk.start() + MAX_LENGTH));
    String folded = fold(written);
    boolean stop = kind == Kind.WORD && KINDS.get(folded) == Kind.STOP;
    found.add(new Term(stop ? Kind.STOP : kind, written, folded, chunk.start(), false));
    if (andParts && !stop) {
      parts(chunk, true);
    }
  }

  /// Cuts at every character that is not a letter or digit, and before capitals in camel case.
  private void parts(Chunk chunk, boolean part) {
    int start = chunk.start();
    for (int i = start; i <= chunk.end(); i++) {
      boolean border = i == chunk.end() || !Character.isLetterOrDigit(text.charAt(i));
      boolean hump = !border && i > start && isHump(i, chunk.end());
      if (border || hump) {
        if (i - start > 1) {
          word(start, i, part);
        }
        start = hump ? i : i + 1;
      }
    }
  }

  private boolean isHump(int at, int end) {
    boolean upper = Character.isUpperCase(text.charAt(at));
    boolean afterLower = Character.isLowerCase(text.charAt(at - 1));
    boolean beforeLower = at + 1 < end && Character.isLowerCase(text.charAt(at + 1));
    return upper && (afterLower || (beforeLower && Character.isUpperCase(text.charAt(at - 1))));
  }

  private void word(int start, int end, boolean part) {
    String written = text.substring(start, Math.min(end, start + MAX_LENGTH));
    String folded = withoutElision(fold(written));
    Kind kind = KINDS.get(folded);
    if (kind == null) {
      folded = singular(folded);
      kind = KINDS.getOrDefault(folded, isNumber(folded) ? Kind.NUMBER : Kind.WORD);
    }
    found.add(new Term(kind, written, folded, start, part));
  }

  /// Without the article of `l'hôtel`.
  private static String withoutElision(String word) {
    boolean elided =
        word.length() > 4 && word.charAt(1) == '\'' && "ldjnmstcq".indexOf(word.charAt(0)) >= 0;
    return elided ? word.substring(2) : word;
  }

  private static boolean isNumber(String word) {
    return Character.isDigit(word.charAt(0));
  }

  /// Removes an English plural or possessive ending. It is approximate: it only has to map the
  /// forms of a word to one key.
  private static String singular(String word) {
    String stem = word.endsWith("'s") ? word.substring(0, word.length() - 2) : word;
    int length = stem.length();
    if (length < 4 || stem.charAt(length - 1) != 's') {
      return stem;
    }
    if (stem.endsWith("ies") && length > 4) {
      return stem.substring(0, length - 3) + "y";
    }
    if (stem.endsWith("sses")
        || stem.endsWith("ches")
        || stem.endsWith("shes")
        || stem.endsWith("xes")) {
      return stem.substring(0, length - 2);
    }
    char before = stem.charAt(length - 2);
    return before == 's' || before == 'u' || before == 'i' ? stem : stem.substring(0, length - 1);
  }
}
