package dev.agentmemory.text.secret;

/// A part of a format: characters that are always the same, or a number of characters of an
/// alphabet.
///
/// @param literal empty if the part is of an alphabet
/// @param alphabet of the characters; any for a literal
/// @param least number of characters
/// @param most number of characters
/// @param kept whether the part only has to stand before the secret, and is not masked
record FormatPart(String literal, Alphabet alphabet, int least, int most, boolean kept) {

  static FormatPart literal(String literal, boolean kept) {
    return new FormatPart(literal, Alphabet.ALNUM, literal.length(), literal.length(), kept);
  }

  static FormatPart of(Alphabet alphabet, int least, int most) {
    return new FormatPart("", alphabet, least, most, false);
  }

  boolean isLiteral() {
    return !literal.isEmpty();
  }

  boolean isFixed() {
    return least == most;
  }

  /// The index after the part; -1 when the text there is another one.
  int end(String text, int at) {
    if (isLiteral()) {
      return text.startsWith(literal, at) ? at + least : -1;
    }
    int limit = most > text.length() - at ? text.length() : at + most;
    int end = at;
    while (end < limit && alphabet.has(text.charAt(end))) {
      end++;
    }
    return end - at < least ? -1 : end;
  }

  /// Whether the part can begin with a character.
  boolean canBegin(char c) {
    return isLiteral() ? literal.charAt(0) == c : alphabet.has(c);
  }
}
