package dev.agentmemory.text.secret;

import dev.agentmemory.text.secret.format.Letters;
import dev.agentmemory.text.secret.format.Secret;
import java.util.Set;

/// Finds secrets that are lists: the words of a wallet, and codes for the recovery of an account.
final class ListedSecret {

  private static final int LEAST_SEED = 11;
  private static final int LONGEST = 120;
  private static final int LONGEST_SEED_WORD = 9;
  private static final int LONGEST_VALUE = 256;
  private static final int MOST_SIGNS = 24;
  private static final String CODE_MARKS = " \t\r\n,;-*\u2022[\"'";
  private static final String SEED_MARKS = " \t\r\n\"',.[]()0123456789";

  /// How many words a wallet has.
  private static final Set<Integer> SEED_WORDS = Set.of(12, 15, 18, 21, 24);

  private ListedSecret() {}

  /// A line that consists of the words of a wallet, as many as it can have.
  static Secret seed(String text, SecretName name, int from) {
    int limit = Math.min(text.length(), from + LONGEST_VALUE);
    int stop = from;
    while (stop < limit && (Letters.isLower(text.charAt(stop)) || text.charAt(stop) == ' ')) {
      stop++;
    }
    while (stop > from && text.charAt(stop - 1) == ' ') {
      stop--;
    }
    String words = text.substring(from, stop);
    boolean secret =
        SEED_WORDS.contains(words.split(" ", -1).length)
            && SecretValues.isSeed(words)
            && !Letters.isWord(Letters.at(text, stop));
    return secret ? new Secret(from, stop, name.kind()) : Secret.NONE;
  }

  /// The words of a wallet in a list, which may have numbers: `1. x 2. y`, `["x", "y"]`.
  static Secret seedList(String text, SecretName name, int from) {
    int start = -1;
    int end = from;
    int words = 0;
    int at = Letters.skip(text, from, SEED_MARKS, MOST_SIGNS);
    while (at < text.length() && Letters.isLower(text.charAt(at))) {
      int stop = at;
      while (stop - at < LONGEST_SEED_WORD && Letters.isLower(Letters.at(text, stop))) {
        stop++;
      }
      if (stop - at < 3 || Letters.isWord(Letters.at(text, stop))) {
        break;
      }
      start = start < 0 ? at : start;
      end = stop;
      words++;
      at = Letters.skip(text, stop, SEED_MARKS, MOST_SIGNS);
    }
    boolean divided = words >= LEAST_SEED && end - start > 1 && isListed(text, start, end);
    return divided ? new Secret(start, end, name.kind()) : Secret.NONE;
  }

  /// Whether numbers, quotes or lines divide words.
  private static boolean isListed(String text, int start, int end) {
    String words = text.substring(start, end);
    return words.chars().anyMatch(c -> Letters.isDigit((char) c) || "\n\"'".indexOf(c) >= 0);
  }

  /// Short codes one after the other, such as those for the recovery of an account.
  ///
  /// @param from index after the name
  static Secret codes(String text, SecretName name, int from) {
    int colon = Letters.indexOf(text, ':', from, from + LONGEST / 2);
    if (colon < 0 || Letters.indexOf(text, '\n', from, colon) >= 0) {
      return Secret.NONE;
    }
    int end = from;
    int start = -1;
    int at = colon + 1;
    int codes = 0;
    while (at < text.length()) {
      at = numbered(text, Letters.skip(text, at, CODE_MARKS, LONGEST));
      int stop = at;
      while (stop < text.length() && stop - at < 40 && Letters.isJoined(text.charAt(stop))) {
        stop++;
      }
      boolean alike = start >= 0 && isAlike(text, start, at, stop);
      if (!isCode(text, at, stop) && !alike) {
        break;
      }
      start = start < 0 ? at : start;
      end = stop;
      codes++;
      at = stop;
    }
    return codes > 1 ? new Secret(start, end, name.kind()) : Secret.NONE;
  }

  /// The index after the number of a code in a list: `1. `, `2) `.
  private static int numbered(String text, int at) {
    int stop = Letters.skip(text, at, "0123456789", 2);
    boolean number =
        stop > at && ".)".indexOf(Letters.at(text, stop)) >= 0 && Letters.at(text, stop + 1) == ' ';
    return number ? Letters.skip(text, stop + 1, CODE_MARKS, LONGEST) : at;
  }

  /// Whether a code has as many characters as the first one, and its dash at the same place.
  private static boolean isAlike(String text, int first, int at, int stop) {
    int dash = Letters.indexOf(text, '-', at, stop);
    return dash > at
        && Letters.at(text, first + dash - at) == '-'
        && !Letters.isJoined(Letters.at(text, first + stop - at));
  }

  private static boolean isCode(String text, int at, int stop) {
    return stop - at >= 4 && Letters.hasDigit(text, at, stop);
  }
}
