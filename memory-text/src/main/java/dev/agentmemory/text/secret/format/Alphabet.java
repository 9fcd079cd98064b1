package dev.agentmemory.text.secret.format;

import java.util.Arrays;
import java.util.Optional;

/// A class of ASCII characters that formats of secrets consist of.
// The array is never changed after construction.
@SuppressWarnings("ImmutableEnumChecker")
public enum Alphabet {
  HEX_LOWER("hex", "0123456789abcdef"),
  HEX_UPPER("HEX", "0123456789ABCDEF"),
  DIGITS("digits", "0123456789"),
  LOWER("lower", Ranges.LOWER),
  UPPER("upper", Ranges.UPPER),
  LOWER_DIGITS("lowdig", Ranges.LOWER + "0123456789"),
  UPPER_DIGITS("updig", Ranges.UPPER + "0123456789"),
  BASE32("base32", Ranges.UPPER + "234567"),
  ALNUM("alnum", Ranges.PLAIN),
  WORD("word", Ranges.PLAIN + "_"),
  BASE64("base64", Ranges.PLAIN + "+/"),
  BASE64URL("base64url", Ranges.PLAIN + "-_"),
  /// Of credentials in a header.
  HEADER("header", Ranges.PLAIN + "-_.~+/=%"),
  /// Of hashes of passwords.
  CRYPT("crypt", Ranges.PLAIN + "./+$=,-");

  private static final class Ranges {
    private static final String LOWER = "abcdefghijklmnopqrstuvwxyz";
    private static final String UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    private static final String PLAIN = LOWER + UPPER + "0123456789";

    private Ranges() {}
  }

  private final String word;
  private final String characters;
  private final boolean[] has = new boolean[128];

  Alphabet(String word, String characters) {
    this.word = word;
    this.characters = characters;
    characters.chars().forEach(c -> has[c] = true);
  }

  /// The alphabet that a rule names.
  public static Optional<Alphabet> named(String word) {
    return Arrays.stream(values()).filter(one -> one.word.equals(word)).findFirst();
  }

  /// The names that a rule can use.
  public static String names() {
    return String.join(", ", Arrays.stream(values()).map(one -> one.word).toList());
  }

  public boolean has(char c) {
    return c < has.length && has[c];
  }

  /// All characters, for the generation of examples.
  public String characters() {
    return characters;
  }
}
