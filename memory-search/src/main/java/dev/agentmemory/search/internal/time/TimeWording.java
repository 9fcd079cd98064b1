package dev.agentmemory.search.internal.time;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The words of a text and the separators between them that matter for time expressions: a comma,
/// the mark of a genitive, or anything else, which ends an expression.
final class TimeWording {

  static final String COMMA = ",";
  static final String GENITIVE = "'s";
  private static final String BREAK = "|";

  /// A comma that separates thousands stays inside; so do `/`, `-`, `.` and `:`, as `5/2023`,
  /// `may-day` and `in.may` are no dates.
  private static final Pattern CHUNK =
      Pattern.compile(
          "[^\\s,\u2013\u2014\u2026]+(?:(?<=\\d),(?=\\d{3}(?!\\d))[^\\s,\u2013\u2014\u2026]+)*"
              + "|[,\u2013\u2014\u2026]");

  private static final Pattern CORE =
      Pattern.compile("[\\p{L}\\p{N}](?:.*[\\p{L}\\p{N}])?", Pattern.DOTALL);
  private static final Pattern POSSESSIVE = Pattern.compile("(.+)['\u2019][sS]");
  private static final Pattern PART = Pattern.compile("(?i)(early|mid|late)-(\\p{Alnum}+)");

  private final List<Word> words = new ArrayList<>();

  /// @param text lower case
  /// @param capital whether its first letter is
  private record Word(String text, boolean capital, int start, int end) {}

  TimeWording(String text) {
    Matcher chunks = CHUNK.matcher(text);
    while (chunks.find()) {
      chunk(chunks.group(), chunks.start());
    }
  }

  private void chunk(String chunk, int offset) {
    Matcher core = CORE.matcher(chunk);
    if (!core.find()) {
      mark(chunk.equals(COMMA) ? COMMA : BREAK, offset, offset + chunk.length());
      return;
    }
    if (core.start() > 0) {
      mark(BREAK, offset, offset + core.start());
    }
    core(core.group(), offset + core.start());
    String rest = chunk.substring(core.end());
    boolean shortened =
        rest.equals(".") && TimeVocabulary.isAbbreviated(core.group().toLowerCase(Locale.ROOT));
    if (!rest.isEmpty() && !shortened) {
      mark(BREAK, offset + core.end(), offset + chunk.length());
    }
  }

  private void core(String core, int offset) {
    Matcher possessive = POSSESSIVE.matcher(core);
    if (possessive.matches()) {
      word(possessive.group(1), offset);
      mark(GENITIVE, offset + possessive.end(1), offset + core.length());
      return;
    }
    Matcher part = PART.matcher(core);
    if (part.matches()) {
      word(part.group(1), offset);
      word(part.group(2), offset + part.start(2));
      return;
    }
    word(core, offset);
  }

  private void word(String text, int start) {
    boolean capital = Character.isUpperCase(text.codePointAt(0));
    words.add(new Word(text.toLowerCase(Locale.ROOT), capital, start, start + text.length()));
  }

  private void mark(String mark, int start, int end) {
    words.add(new Word(mark, false, start, end));
  }

  int size() {
    return words.size();
  }

  /// The word in lower case, or a mark; beyond either end a break.
  String at(int index) {
    return index < 0 || index >= words.size() ? BREAK : words.get(index).text();
  }

  boolean is(int index, String... any) {
    String word = at(index);
    for (String one : any) {
      if (word.equals(one)) {
        return true;
      }
    }
    return false;
  }

  boolean isCapital(int index) {
    return index < words.size() && words.get(index).capital();
  }

  /// Whether nothing of the same clause stands there.
  boolean isEnd(int index) {
    return is(index, BREAK, COMMA);
  }

  /// Whether a month's name there can be nothing else, as "may" can.
  boolean isClearMonth(int index) {
    return !TimeVocabulary.isVerb(at(index)) || isCapital(index) || isEnd(index + 1);
  }

  /// Where a word begins in the text.
  int start(int index) {
    return words.get(index).start();
  }

  /// Where a word ends in the text, not included.
  int end(int index) {
    return words.get(index).end();
  }

  /// The index after an article, if one stands there.
  int afterThe(int index) {
    return is(index, "the") ? index + 1 : index;
  }
}
