package dev.agentmemory.recall.internal.table;

import dev.agentmemory.recall.internal.grammar.Clauses;
import dev.agentmemory.recall.internal.grammar.QuotedSpans;
import dev.agentmemory.recall.internal.grammar.TokenReader;
import dev.agentmemory.recall.internal.grammar.WordClass;
import dev.agentmemory.recall.internal.grammar.WordStems;
import dev.agentmemory.recall.internal.grammar.WordToken;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/// A short text and the hashes of the words that tell what it is about. It is kept in the heap:
/// each write looks for statements about the same, and reading their rows would take longer than
/// the write.
public final class StatedWords {

  /// Longest text that is compared with others, in UTF-16 units. What is longer is a document
  /// rather than a statement.
  public static final int MAX_CHARS = 400;

  private static final long FUNCTION =
      Stream.of(
              WordClass.I,
              WordClass.WE,
              WordClass.YOU,
              WordClass.THEY,
              WordClass.IT,
              WordClass.DETERMINER,
              WordClass.POSSESSIVE,
              WordClass.BE,
              WordClass.HAVE,
              WordClass.DO,
              WordClass.WILL,
              WordClass.MODAL,
              WordClass.NOT,
              WordClass.QUESTION,
              WordClass.CONJUNCTION,
              WordClass.SUBORDINATE,
              WordClass.PREPOSITION,
              WordClass.ADVERB,
              WordClass.OPENER,
              WordClass.NUMBER,
              WordClass.MARK)
          .mapToLong(WordClass::bit)
          .reduce(0, (one, other) -> one | other);

  private final String text;
  private final int[] words;

  private StatedWords(String text, int[] words) {
    this.text = text;
    this.words = words;
  }

  /// @return empty for a text that is too long, has no verb, such as a heading or a note, or is
  ///   about nothing
  static Optional<StatedWords> of(String text) {
    if (text.length() > MAX_CHARS || text.isBlank()) {
      return Optional.empty();
    }
    List<WordToken> tokens =
        TokenReader.read(text, 0, text.length(), QuotedSpans.of(text, 0, text.length()));
    if (Clauses.of(tokens).stream().noneMatch(clause -> clause.verbAt() < clause.end())) {
      return Optional.empty();
    }
    int[] words =
        tokens.stream()
            .filter(token -> !token.isAny(FUNCTION))
            .mapToInt(StatedWords::hash)
            .sorted()
            .distinct()
            .toArray();
    return words.length == 0 ? Optional.empty() : Optional.of(new StatedWords(text, words));
  }

  private static int hash(WordToken token) {
    return WordStems.beginning(WordStems.of(token.key())).hashCode();
  }

  public String text() {
    return text;
  }

  /// Hashes of its words, ascending. Not a copy: the index of subjects keeps it for each memory.
  int[] words() {
    return words;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof StatedWords same
        && text.equals(same.text)
        && Arrays.equals(words, same.words);
  }

  @Override
  public int hashCode() {
    return Objects.hash(text);
  }

  @Override
  public String toString() {
    return text;
  }
}
