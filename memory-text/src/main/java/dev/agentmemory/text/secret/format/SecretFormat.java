package dev.agentmemory.text.secret.format;

import java.util.List;

/// The format of a vendor's secrets. A match neither follows nor precedes a letter, digit, `_` or
/// `-` that could be a part of it.
///
/// @param kind the kind that the mask names
/// @param vendor who issues it
/// @param parts in order. No part of variable length is followed by one that begins with a
///   character of its alphabet, so a text matches in one way only
/// @param digit whether it has to contain a digit, because ordinary words have the same form
public record SecretFormat(String kind, String vendor, List<Part> parts, boolean digit) {

  public SecretFormat {
    parts = List.copyOf(parts);
  }

  /// Characters before the first literal.
  public int lead() {
    return parts.getFirst().isLiteral() ? 0 : parts.getFirst().least();
  }

  /// The first literal.
  public String anchor() {
    return parts.get(lead() == 0 ? 0 : 1).literal();
  }

  /// @param at where the match has to begin
  public Secret match(String text, int at) {
    int end = at;
    int start = at;
    for (Part part : parts) {
      end = part.end(text, end);
      if (end < 0) {
        return Secret.NONE;
      }
      start = part.kept() ? end : start;
    }
    if (!parts.getLast().isLiteral() && parts.getLast().alphabet().has('a')) {
      // The padding of base64.
      end = Letters.skip(text, end, "=", 2);
    }
    if (end < text.length() && continues(text.charAt(end))) {
      return Secret.NONE;
    }
    if (isMask(text, start, end)) {
      return Secret.NONE;
    }
    boolean enough = !digit || Letters.hasDigit(text, start, end);
    return enough && !isFilled(text, start, end) ? new Secret(start, end, kind) : Secret.NONE;
  }

  /// Whether it is the mask of another rule, which an alphabet may contain.
  private static boolean isMask(String text, int start, int end) {
    return text.startsWith(Secret.MASKED, start) && text.indexOf(']', start) == end - 1;
  }

  private boolean continues(char c) {
    Part last = parts.getLast();
    return Letters.isPlain(c) || (!last.isLiteral() && last.alphabet().has(c));
  }

  /// Whether the end is one character again and again, as in a placeholder.
  private static boolean isFilled(String text, int start, int end) {
    int run = end - 1;
    while (run > start && text.charAt(run - 1) == text.charAt(end - 1)) {
      run--;
    }
    return (end - run) * 2 > end - start;
  }

  /// A part of a format: characters that are always the same, or a number of characters of an
  /// alphabet.
  ///
  /// @param literal empty if the part is of an alphabet
  /// @param alphabet of the characters; any for a literal
  /// @param least number of characters
  /// @param most number of characters
  /// @param kept whether the part only has to stand before the secret, and is not masked
  public record Part(String literal, Alphabet alphabet, int least, int most, boolean kept) {

    public static Part literal(String literal, boolean kept) {
      return new Part(literal, Alphabet.ALNUM, literal.length(), literal.length(), kept);
    }

    public static Part of(Alphabet alphabet, int least, int most) {
      return new Part("", alphabet, least, most, false);
    }

    public boolean isLiteral() {
      return !literal.isEmpty();
    }

    public boolean isFixed() {
      return least == most;
    }

    /// The index after the part; -1 when the text there is another one.
    public int end(String text, int at) {
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
    public boolean canBegin(char c) {
      return isLiteral() ? literal.charAt(0) == c : alphabet.has(c);
    }
  }
}
