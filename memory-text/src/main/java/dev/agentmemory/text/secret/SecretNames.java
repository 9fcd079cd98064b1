package dev.agentmemory.text.secret;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// Names of settings and variables that contain secrets, such as `DB_PASSWORD`, `apiKey` or
/// `aws_secret_access_key`. Only the end of a name is compared, without case, `_`, `-` and a space.
final class SecretNames {

  private static final int ASCII = 128;

  /// What can follow the word in a name: `API_KEY_PROD`.
  private static final Set<String> ENDINGS =
      Set.of(
          """
          prod production live test dev staging stage old new value plain base64 b64 raw main
          primary secondary default backup ci local v1 v2 private rw ro admin root
          """
              .split("\\s+"));

  private static final int LONGEST_ENDING = 10;
  private static final int LEAST_AFTER_DIGIT = 4;

  /// The words by their last two characters, if they are ASCII, the longest first.
  private final SecretName[][] pairs = new SecretName[ASCII * ASCII][];

  /// The others by their last character.
  private final Map<Character, SecretName[]> byLast = new HashMap<>();

  SecretNames(List<SecretName> names) {
    Map<Integer, List<SecretName>> grouped = new HashMap<>();
    Map<Character, List<SecretName>> others = new HashMap<>();
    for (SecretName name : longestFirst(names)) {
      String word = name.word();
      char last = word.charAt(word.length() - 1);
      char before = word.charAt(word.length() - 2);
      if (last < ASCII && before < ASCII) {
        grouped.computeIfAbsent(before * ASCII + last, _ -> new ArrayList<>()).add(name);
      } else {
        others.computeIfAbsent(last, _ -> new ArrayList<>()).add(name);
      }
    }
    grouped.forEach((pair, of) -> pairs[pair] = of.toArray(new SecretName[0]));
    others.forEach((last, of) -> byLast.put(last, of.toArray(new SecretName[0])));
  }

  private static List<SecretName> longestFirst(List<SecretName> names) {
    return names.stream()
        .sorted(Comparator.comparingInt((SecretName name) -> name.word().length()).reversed())
        .toList();
  }

  /// What a name indicates.
  ///
  /// @param start where the name begins
  /// @param end index after the name
  /// @param joint index of its last `_` or `-`; -1 if it has none
  SecretName find(String text, int start, int end, int joint) {
    SecretName name = ending(text, end);
    if (name.word().isEmpty()) {
      int shorter = withoutEnding(text, start, end, joint);
      return shorter == end ? name : ending(text, shorter);
    }
    return name;
  }

  private SecretName ending(String text, int end) {
    if (end < 2) {
      return SecretName.NONE;
    }
    char last = Letters.lower(text.charAt(end - 1));
    char before = Letters.lower(text.charAt(end - 2));
    char pair = before == '_' || before == '-' ? Letters.lower(Letters.at(text, end - 3)) : before;
    SecretName[] names =
        last < ASCII && pair < ASCII ? pairs[pair * ASCII + last] : byLast.get(last);
    if (names != null) {
      for (SecretName name : names) {
        int start = start(text, end, name.word());
        if (start >= 0 && follows(name, text, start)) {
          return name;
        }
      }
    }
    return SecretName.NONE;
  }

  /// The end of a name without a number or a word that tells which one it is.
  private static int withoutEnding(String text, int start, int end, int joint) {
    int at = end;
    while (at > start && end - at < 2 && Letters.isDigit(text.charAt(at - 1))) {
      at--;
    }
    if (at < end) {
      return at - 1 > start && isJoint(text.charAt(at - 1)) ? at - 1 : at;
    }
    boolean known =
        joint > start
            && end - joint <= LONGEST_ENDING
            && ENDINGS.contains(text.substring(joint + 1, end).toLowerCase(Locale.ROOT));
    return known ? joint : end;
  }

  private static boolean isJoint(char c) {
    return c == '_' || c == '-';
  }

  /// The start of a word that ends at `end`; -1 when the text there is another word.
  private static int start(String text, int end, String word) {
    int at = end;
    for (int i = word.length() - 1; i >= 0; i--) {
      at--;
      if (at > 0 && i < word.length() - 1 && "_- ".indexOf(text.charAt(at)) >= 0) {
        at--;
      }
      if (at < 0 || Letters.lower(text.charAt(at)) != word.charAt(i)) {
        return -1;
      }
    }
    return at;
  }

  private static boolean follows(SecretName name, String text, int start) {
    return switch (name.after()) {
      case START -> startsWord(name.word(), text, start);
      case JOINT -> isJoint(Letters.at(text, start - 1));
      case ANYTHING -> true;
    };
  }

  /// A short word after a digit, as in `8pw`, is part of something random.
  private static boolean startsWord(String word, String text, int start) {
    char before = Letters.at(text, start - 1);
    boolean hump = Letters.isUpper(text.charAt(start)) && !Letters.isUpper(before);
    boolean counted = Letters.isDigit(before) && word.length() >= LEAST_AFTER_DIGIT;
    return hump || !Letters.isWord(before) || before == '_' || counted;
  }
}
