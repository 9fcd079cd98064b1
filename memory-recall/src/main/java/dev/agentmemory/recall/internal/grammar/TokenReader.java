package dev.agentmemory.recall.internal.grammar;

import dev.agentmemory.text.Slice;
import java.util.ArrayList;
import java.util.List;

/// Splits text into [WordToken]s. Code between backticks and a quote of several words are one token
/// each.
public final class TokenReader {

  private static final int QUOTE_WORDS = 3;
  private static final String EDGES = "*_\"'\u2018\u2019\u201c\u201d\u201e\u00ab\u00bb[]<>{}~#";
  private static final String BREAKS = ",;()!?\u2026\u2014\u2013\"`\u201c\u201d";
  private static final String CURRENCIES = "$\u20ac\u00a3\u00a5~";
  private static final String CODE_MARKS = "_/=@#\\<>|^";
  private static final long LEADS =
      WordClass.bits(
          WordClass.I, WordClass.WE, WordClass.YOU, WordClass.MODAL, WordClass.WILL, WordClass.DO);
  private static final long BETWEEN = WordClass.bits(WordClass.ADVERB, WordClass.NOT);
  private static final long STEADY = WordClass.bits(WordClass.LASTING, WordClass.HABITUAL);
  private static final long NAME = WordClass.NAME.bit();
  private static final long CODE = WordClass.CODE.bit();
  private static final long NUMBER = WordClass.NUMBER.bit();

  private final String text;
  private final int to;
  private final List<Slice> quotes;
  private final List<WordToken> tokens = new ArrayList<>();

  private TokenReader(String text, int to, List<Slice> quotes) {
    this.text = text;
    this.to = to;
    this.quotes = quotes;
  }

  /// @param quotes those of the text, in order
  public static List<WordToken> read(String text, int from, int to, List<Slice> quotes) {
    var reader = new TokenReader(text, to, quotes);
    reader.read(from);
    return reader.tokens;
  }

  private void read(int from) {
    int at = from;
    int quote = 0;
    while (at < to) {
      while (quote < quotes.size() && quotes.get(quote).start() < at) {
        quote++;
      }
      boolean quoted = quote < quotes.size() && quotes.get(quote).start() == at;
      char c = text.charAt(at);
      if (Character.isWhitespace(c)) {
        at++;
      } else if (quoted && isLong(quotes.get(quote))) {
        int end = Math.min(to, quotes.get(quote).end());
        tokens.add(new WordToken(at, end, "\"", WordClass.QUOTE.bit()));
        at = end;
      } else if (c == '`') {
        at = code(at);
      } else {
        at = chunk(at);
      }
    }
  }

  private boolean isLong(Slice quote) {
    int words = 1;
    for (int i = quote.start() + 1; i < quote.end(); i++) {
      words += text.charAt(i) == ' ' ? 1 : 0;
    }
    return words >= QUOTE_WORDS;
  }

  private int code(int at) {
    int close = text.indexOf('`', at + 1);
    if (close < 0 || close >= to) {
      return at + 1;
    }
    tokens.add(new WordToken(at, close + 1, text.substring(at + 1, close), CODE));
    return close + 1;
  }

  /// Reads a word or a mark; returns the index behind it.
  private int chunk(int at) {
    int end = at;
    while (end < to && !endsChunk(at, end)) {
      end++;
    }
    if (end == at) {
      mark(at);
      return at + 1;
    }
    int start = at;
    int stop = end;
    while (start < stop && EDGES.indexOf(text.charAt(start)) >= 0) {
      start++;
    }
    while (stop > start && EDGES.indexOf(text.charAt(stop - 1)) >= 0) {
      stop--;
    }
    if (start == stop) {
      return end;
    }
    if (stop - start == 1 && text.charAt(start) == '-') {
      add(start, stop, "-", WordClass.MARK.bit());
    } else {
      word(start, stop);
    }
    return end;
  }

  private boolean endsChunk(int from, int at) {
    char c = text.charAt(at);
    if (Character.isWhitespace(c)) {
      return true;
    }
    boolean last = at + 1 >= to || !isInside(text.charAt(at + 1));
    return switch (c) {
      case '.', ':' -> last;
      case ',' ->
          last
              || at == from
              || !Character.isDigit(text.charAt(at - 1))
              || !Character.isDigit(text.charAt(at + 1));
      default -> BREAKS.indexOf(c) >= 0;
    };
  }

  private static boolean isInside(char c) {
    return !Character.isWhitespace(c) && EDGES.indexOf(c) < 0 && BREAKS.indexOf(c) < 0 && c != '.';
  }

  private void mark(int at) {
    String key =
        switch (text.charAt(at)) {
          case ',', '(', ')' -> ",";
          case ':' -> ":";
          case ';' -> ";";
          case '\u2014', '\u2013' -> "-";
          case '.', '!', '?', '\u2026' -> ".";
          default -> "";
        };
    if (!key.isEmpty()) {
      add(at, at + 1, key, WordClass.MARK.bit());
    }
  }

  private void word(int start, int end) {
    String written = text.substring(start, end);
    String folded = Spelling.fold(written);
    long form = form(written);
    List<String> expansion = Spelling.expansion(folded);
    if (isBecause(folded)) {
      expansion = List.of("because");
    }
    for (String word : expansion) {
      add(start, end, word, WordClasses.of(word));
    }
    if (expansion.isEmpty()) {
      String key = Spelling.withoutPossessive(folded);
      long classes = WordClasses.of(key);
      add(start, end, key, classes | form | (classes == 0 && form == 0 ? guess(key) : 0));
    }
  }

  /// An unknown word is a verb behind what only verbs follow: a personal pronoun, a modal verb,
  /// `to`, `please` or `never` at the beginning of a sentence.
  private long guess(String key) {
    int at = tokens.size() - 1;
    boolean letters = key.chars().allMatch(Character::isLetter);
    while (at >= 0 && tokens.get(at).isAny(BETWEEN) && !tokens.get(at).isAny(LEADS)) {
      at--;
    }
    boolean first = at < 0 || tokens.get(at).is(WordClass.MARK);
    if (!letters || (first && at == tokens.size() - 1)) {
      return 0;
    }
    boolean order = first && tokens.getLast().isAny(STEADY);
    boolean follows = !first && tokens.get(at).isAny(LEADS);
    if (!order && !follows) {
      return !first && tokens.get(at).is(WordClass.THEY) && key.endsWith("s")
          ? WordClass.bits(WordClass.ANY, WordClass.THIRD)
          : 0;
    }
    return WordClass.bits(WordClass.ANY, key.endsWith("ed") ? WordClass.PAST : WordClass.BASE);
  }

  private void add(int start, int end, String key, long classes) {
    tokens.add(new WordToken(start, end, key, classes));
  }

  /// `cause` for `because`: it stands behind a word that is no determiner.
  private boolean isBecause(String word) {
    if (!word.equals("cause") || tokens.isEmpty()) {
      return false;
    }
    WordToken before = tokens.getLast();
    long noun = WordClass.bits(WordClass.DETERMINER, WordClass.MODAL, WordClass.WILL);
    return !before.isAny(noun | WordClass.REASON.bit() | WordClass.ADVERB.bit())
        && !before.is("main")
        && !before.is("real")
        && !before.is("likely")
        && !before.is("to");
  }

  private long form(String written) {
    char first = written.charAt(0);
    boolean amount =
        Character.isDigit(first)
            || (written.length() > 1
                && CURRENCIES.indexOf(first) >= 0
                && Character.isDigit(written.charAt(1)));
    if (amount) {
      return NUMBER;
    }
    boolean begins = tokens.isEmpty() || tokens.getLast().is(".");
    int capitals = 0;
    boolean hump = false;
    boolean digit = false;
    boolean mark = first == '.' || written.startsWith("--");
    for (int i = 0; i < written.length(); i++) {
      char c = written.charAt(i);
      boolean upper = Character.isUpperCase(c);
      capitals += upper ? 1 : 0;
      hump |= upper && i > 0 && Character.isLowerCase(written.charAt(i - 1));
      digit |= Character.isDigit(c);
      mark |= CODE_MARKS.indexOf(c) >= 0 || (c == '.' && i > 0) || (c == ':' && i > 0);
    }
    if (mark || hump) {
      return CODE;
    }
    boolean name = capitals > 1 || (capitals == 1 && !begins && !written.equals("I"));
    return (name ? NAME : 0) | (digit ? CODE : 0);
  }
}
