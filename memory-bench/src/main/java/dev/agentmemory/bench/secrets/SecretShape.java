package dev.agentmemory.bench.secrets;

import java.util.Locale;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Generates values of a shape: `'text'` and `class:length` or `class:least-most`, in any number.
final class SecretShape {

  private static final Pattern PART =
      Pattern.compile("'([^']*)'|([A-Za-z0-9]+):(\\d+)(?:-(\\d+))?");
  private static final String LOWER = "abcdefghijklmnopqrstuvwxyz";
  private static final String UPPER = LOWER.toUpperCase(Locale.ROOT);
  private static final String DIGITS = "0123456789";
  private static final String CONSONANTS = "bdfghklmnprstvz";
  private static final String VOWELS = "aeiou";

  private SecretShape() {}

  static String generate(String shape, RandomGenerator random) {
    var value = new StringBuilder();
    Matcher part = PART.matcher(shape);
    while (part.find()) {
      if (part.group(1) != null) {
        value.append(part.group(1));
      } else {
        int least = Integer.parseInt(part.group(3));
        int most = part.group(4) == null ? least : Integer.parseInt(part.group(4));
        value.append(characters(part.group(2), random.nextInt(least, most + 1), random));
      }
    }
    return value.toString();
  }

  private static String characters(String kind, int length, RandomGenerator random) {
    return switch (kind) {
      case "word" -> word(length, random);
      case "Word" -> {
        String word = word(length, random);
        yield word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
      }
      default -> of(alphabet(kind), length, random);
    };
  }

  private static String alphabet(String kind) {
    return switch (kind) {
      case "hex" -> DIGITS + "abcdef";
      case "HEX" -> DIGITS + "ABCDEF";
      case "base64" -> LOWER + UPPER + DIGITS + "+/";
      case "base64url" -> LOWER + UPPER + DIGITS + "-_";
      case "alnum" -> LOWER + UPPER + DIGITS;
      case "lower" -> LOWER;
      case "upper" -> UPPER;
      case "digits" -> DIGITS;
      case "base32" -> UPPER + "234567";
      case "symbols" -> LOWER + UPPER + DIGITS + "!#$%&*+-=?@^_";
      default -> throw new IllegalArgumentException("no class of characters is named " + kind);
    };
  }

  private static String of(String alphabet, int length, RandomGenerator random) {
    var text = new StringBuilder(length);
    for (int i = 0; i < length; i++) {
      text.append(alphabet.charAt(random.nextInt(alphabet.length())));
    }
    return text.toString();
  }

  private static String word(int length, RandomGenerator random) {
    var text = new StringBuilder(length);
    for (int i = 0; i < length; i++) {
      text.append(of(i % 2 == 0 ? CONSONANTS : VOWELS, 1, random));
    }
    return text.toString();
  }
}
