package dev.agentmemory.text;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Optional;

/// Identity of what a text states. Two texts are the same statement only when their values of this
/// record are equal, however similar their embeddings are: a model gives `PostgreSQL 16` and
/// `PostgreSQL 17` nearly the same vector, and all texts that it cannot read the same one.
///
/// Idea: it is a hash of the text's [StatementWords]. So every difference that these keep makes two
/// statements, in any language and script: a number, date, version, unit, sign, name, negation,
/// word, the order of the words, and whether the text is a question. It does not depend on lists of
/// names or negations.
///
/// Limits: two wordings of one statement are two statements. Showing one fact twice does less harm
/// than hiding a newer one.
///
/// @param high half of the hash
/// @param low the other half
public record StatementIdentity(long high, long low) {

  /// Ends a word in the hash.
  private static final char END = 0;

  /// @return empty for a text without words
  public static Optional<StatementIdentity> of(String text) {
    return hash(StatementWords.of(text));
  }

  /// The identity of what a text states in whichever words of choosing, using and wanting: equal
  /// for `We decided to use Kafka 3` and `Let's use Kafka 3`. Texts that differ in a number, date,
  /// name, version, unit, negation, preposition, tense or script, or in the order of such words,
  /// are not equal. Equal ones need not be the same statement; their vectors have to be near, too.
  ///
  /// @return empty for a text without other words
  public static Optional<StatementIdentity> ofCore(String text) {
    return both(text).core();
  }

  /// Both identities of a text.
  ///
  /// @param exact as [#of]
  /// @param core as [#ofCore]
  public record Both(Optional<StatementIdentity> exact, Optional<StatementIdentity> core) {}

  /// Both identities of a text, which is read once.
  public static Both both(String text) {
    List<String> words = StatementWords.of(text);
    List<String> core = LightWords.without(words, StatementWords.MARK_WORDS);
    Optional<StatementIdentity> exact = hash(words);
    return new Both(exact, core.size() == words.size() ? exact : hash(core));
  }

  private static Optional<StatementIdentity> hash(List<String> words) {
    if (words.isEmpty()) {
      return Optional.empty();
    }
    var hashed = new StringBuilder();
    words.forEach(word -> hashed.append(word).append(END));
    // At once: an encoder is made for each call, which takes longer than to encode a word.
    byte[] bytes = hashed.toString().getBytes(StandardCharsets.UTF_16BE);
    ByteBuffer result = ByteBuffer.wrap(sha256().digest(bytes));
    return Optional.of(new StatementIdentity(result.getLong(), result.getLong()));
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }
}
