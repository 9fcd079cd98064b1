package dev.agentmemory.text.secret;

import dev.agentmemory.text.Lexicon;
import dev.agentmemory.text.secret.format.Letters;
import dev.agentmemory.text.secret.format.Secret;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/// Finds keys of vendors that no rule knows: after a word like `sk`, `pat` or `live`, which `_` or
/// `-` joins to them, random characters up to the end of the word.
final class PrefixedKey {

  private static final String KIND = "token";
  private static final int LEAST = 24;
  private static final int LEAST_HEX = 32;
  private static final int LEAST_LETTERS = 3;
  private static final int LONGEST = 256;

  /// How names of compiled C++ begin.
  private static final String MANGLED = "_Z";

  private static final int LONGEST_PREFIX = 40;

  private static final Lexicon LISTS = Lexicon.beside(PrefixedKey.class, "beside-words.txt");
  private static final Set<String> PREFIXES = new HashSet<>(LISTS.words("prefixes"));
  private static final Set<String> CERTAIN = new HashSet<>(LISTS.words("certain"));
  private static final Set<String> PUBLIC = new HashSet<>(LISTS.words("public"));

  private PrefixedKey() {}

  /// @param start where a word begins that has `_` or `-`
  /// @param end where it ends
  static Secret find(String text, int start, int end) {
    if (end - start < LEAST || end - start > LONGEST || text.startsWith(MANGLED, start)) {
      return Secret.NONE;
    }
    boolean certain = false;
    boolean prefixed = false;
    boolean letters = true;
    int part = start;
    int limit = Math.min(end, start + LONGEST_PREFIX);
    for (int at = start; at < limit && end - at > LEAST; at++) {
      if (Letters.isPlain(text.charAt(at))) {
        letters &= Letters.isLetter(text.charAt(at));
        continue;
      }
      if (!letters || at == part) {
        // Most parts of UUIDs.
        letters = true;
        part = at + 1;
        continue;
      }
      String word = text.substring(part, at).toLowerCase(Locale.ROOT);
      if (PUBLIC.contains(word)) {
        return Secret.NONE;
      }
      part = at + 1;
      certain |= CERTAIN.contains(word);
      prefixed |= PREFIXES.contains(word);
      if ((certain || prefixed) && isKey(text.substring(part, end), certain)) {
        boolean file = Letters.at(text, end) == '.' && Letters.isLetter(Letters.at(text, end + 1));
        return file ? Secret.NONE : new Secret(start, end, KIND);
      }
    }
    return Secret.NONE;
  }

  private static boolean isKey(String value, boolean certain) {
    boolean hex = value.chars().allMatch(c -> Character.digit(c, 16) >= 0);
    boolean random = SecretValues.isRandom(value, LEAST) && !SecretValues.isUuid(value);
    return hex
        ? certain && random && value.length() >= LEAST_HEX
        : random && SecretValues.isKeyText(value) && !hasWord(value);
  }

  /// Whether a part between `_` or `-` consists of letters of one case, as in names of code.
  private static boolean hasWord(String value) {
    for (String part : value.split("[_-]", -1)) {
      boolean lower = part.chars().allMatch(c -> Letters.isLower((char) c));
      boolean upper = part.chars().allMatch(c -> Letters.isUpper((char) c));
      if (part.length() >= LEAST_LETTERS && (lower || upper)) {
        return true;
      }
    }
    return false;
  }
}
