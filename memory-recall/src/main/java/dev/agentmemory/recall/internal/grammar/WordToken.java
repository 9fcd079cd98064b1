package dev.agentmemory.recall.internal.grammar;

/// A word or punctuation mark of a sentence. A short form such as `don't` is several tokens of the
/// same place.
///
/// @param start index of its first character in the text
/// @param end index behind its last one
/// @param key how it is read: lower case; of a mark one of `, : ; - .`
/// @param classes bits of [WordClass]
public record WordToken(int start, int end, String key, long classes) {

  public boolean is(WordClass one) {
    return (classes & one.bit()) != 0;
  }

  /// Whether it belongs to at least one of some classes.
  public boolean isAny(long bits) {
    return (classes & bits) != 0;
  }

  public boolean is(String word) {
    return key.equals(word);
  }
}
