package dev.agentmemory.search.internal.query;

import dev.agentmemory.search.internal.index.Fields;
import dev.agentmemory.search.internal.text.Analysis;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.WildcardQuery;

/// A word of a query with wildcards: `*` stands for any characters, `?` for one. Both count only in
/// a word with a letter or digit. A question mark at the end of a word ends a question, and `**` is
/// emphasis in Markdown: neither is a wildcard.
///
/// In scripts that write no space between words there is no word that a pattern could match as a
/// whole. There all parts between the wildcards are looked for.
///
/// @param word without the punctuation around it
record WildcardWord(String word) {

  /// Wildcards of one word. The work to compile a pattern can double with each `?` behind a `*`.
  /// What follows the last one that counts matches anything.
  static final int MAX_WILDCARDS = 8;

  private static final String EMPHASIS = "**";

  /// A word, and the punctuation around it.
  private static final Pattern WORD =
      Pattern.compile("[^\\p{L}\\p{N}*?]*+(.*?)[^\\p{L}\\p{M}\\p{N}*]*+", Pattern.DOTALL);

  private static final Pattern WILDCARD = Pattern.compile("[*?]");

  private static final Pattern UNSPACED =
      Pattern.compile("[\\p{IsHan}\\p{IsHiragana}\\p{IsKatakana}\\p{IsHangul}]");

  /// What makes a text more than one word.
  private static final Pattern PUNCTUATION = Pattern.compile("[^\\p{L}\\p{M}\\p{N}_*?]");

  /// Reads a word.
  ///
  /// @param text without spaces
  /// @return empty when it has no wildcard
  static Optional<WildcardWord> of(String text) {
    Matcher word = WORD.matcher(text);
    boolean wild =
        text.length() <= Analysis.MAX_TERM
            && !text.contains(EMPHASIS)
            && word.matches()
            && WILDCARD.matcher(word.group(1)).find()
            && word.group(1).codePoints().anyMatch(Character::isLetterOrDigit);
    return wild ? Optional.of(new WildcardWord(word.group(1))) : Optional.empty();
  }

  /// What of it is searched as text besides: all of it where it is more than one word, as an
  /// address with a question mark.
  String text() {
    return PUNCTUATION.matcher(word).find() ? word : "";
  }

  /// What finds words and identifiers that match it.
  Query query(Queries queries) {
    return UNSPACED.matcher(word).find() ? parts(queries) : whole(queries.analysis());
  }

  private Query parts(Queries queries) {
    var all = new BooleanQuery.Builder();
    WILDCARD
        .splitAsStream(word)
        .filter(part -> !part.isBlank())
        .limit(MAX_WILDCARDS)
        .forEach(part -> all.add(part(part, queries), BooleanClause.Occur.MUST));
    return new ConstantScoreQuery(all.build());
  }

  /// The terms of such scripts are pairs of characters, so one character is a part of a term.
  private static Query part(String part, Queries queries) {
    if (part.codePointCount(0, part.length()) > 1) {
      return queries.phrase(Fields.WORDS, part);
    }
    String character = escaped(queries.analysis().folded(part));
    return either(matching(Fields.WORDS, character + '*'), matching(Fields.WORDS, '*' + character));
  }

  private Query whole(Analysis analysis) {
    String form = Analysis.FORM + pattern(analysis::folded);
    String exact = pattern(part -> part.toLowerCase(Locale.ROOT));
    return new ConstantScoreQuery(
        either(matching(Fields.WORDS, form), matching(Fields.EXACT, exact)));
  }

  private static Query either(Query one, Query other) {
    return new BooleanQuery.Builder()
        .add(one, BooleanClause.Occur.SHOULD)
        .add(other, BooleanClause.Occur.SHOULD)
        .build();
  }

  private static Query matching(String field, String pattern) {
    return new WildcardQuery(new Term(field, pattern));
  }

  /// The pattern in the notation of the index.
  ///
  /// @param form of the parts between the wildcards
  private String pattern(UnaryOperator<String> form) {
    var pattern = new StringBuilder();
    int wildcards = 0;
    int from = 0;
    Matcher wildcard = WILDCARD.matcher(word);
    while (wildcards < MAX_WILDCARDS && wildcard.find()) {
      pattern.append(escaped(form.apply(word.substring(from, wildcard.start()))));
      wildcards++;
      pattern.append(wildcards == MAX_WILDCARDS ? "*" : wildcard.group());
      from = wildcard.end();
    }
    if (wildcards < MAX_WILDCARDS) {
      pattern.append(escaped(form.apply(word.substring(from))));
    }
    return pattern.toString();
  }

  /// What means something in a pattern of the index loses its meaning.
  private static String escaped(String part) {
    return part.replace("\\", "\\\\").replace("*", "\\*").replace("?", "\\?");
  }
}
