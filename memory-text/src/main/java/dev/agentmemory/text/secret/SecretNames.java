package dev.agentmemory.text.secret;

import dev.agentmemory.text.secret.format.Letters;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Names of settings and variables that contain secrets, such as `DB_PASSWORD`, `apiKey` or
/// `aws_secret_access_key`. Only the end of a name is compared, without case, `_`, `-` and a space.
///
/// Idea: the words are a tree over their letters, from the last letter to the first. A name is read
/// once, backwards, until no word goes on like it.
final class SecretNames {

  /// What can follow the word in a name: `API_KEY_PROD`.
  private static final Set<String> ENDINGS =
      Set.of(
          """
          prod production live test dev staging stage old new value plain base64 b64 raw main
          primary secondary default backup ci local v1 v2 v3 private rw ro admin root sandbox preview
          qa uat stg prd eu us next previous prev current tmp temp fallback internal
          """
              .split("\\s+"));

  private static final int LONGEST_ENDING = 10;
  private static final int LEAST_AFTER_DIGIT = 4;

  /// Letters of a word that can be divided: `api key`, but not `p in`.
  private static final int LEAST_DIVIDED = 5;

  private final Ending any = new Ending();

  /// @param names those that come first have precedence over others with the same word
  SecretNames(List<SecretName> names) {
    for (SecretName name : names) {
      Ending ending = any;
      for (int i = name.word().length() - 1; i >= 0; i--) {
        ending = ending.grown(name.word().charAt(i));
      }
      ending.add(name);
    }
  }

  /// What a name indicates.
  ///
  /// @param start where the name begins
  /// @param end index after the name
  /// @param joint index of its last `_` or `-`; -1 if it has none
  SecretName find(String text, int start, int end, int joint) {
    SecretName name = longest(text, end);
    if (name.word().isEmpty()) {
      int shorter = withoutEnding(text, start, end, joint);
      return shorter == end ? name : longest(text, shorter);
    }
    return name;
  }

  /// Whether a word ends at an index.
  boolean endAt(String text, int end) {
    return !longest(text, end).word().isEmpty();
  }

  /// The longest word that ends at `end`.
  private SecretName longest(String text, int end) {
    SecretName longest = SecretName.NONE;
    @Nullable Ending ending = any;
    for (int at = end - 1; at >= 0; at--) {
      char c = text.charAt(at);
      boolean divides = isJoint(c) || (c == ' ' && at < end - 2);
      if (divides && at > 0 && at < end - 1) {
        at--;
        c = text.charAt(at);
      }
      ending = ending.before(Letters.lower(c));
      if (ending == null) {
        break;
      }
      for (SecretName name : ending.names) {
        int letters = name.word().length();
        boolean divided = end - at > letters;
        if (follows(name, text, at) && (!divided || letters >= LEAST_DIVIDED)) {
          longest = name;
          break;
        }
      }
    }
    return longest;
  }

  /// The end of a name without a number or a word that tells which one it is.
  private static int withoutEnding(String text, int start, int end, int joint) {
    boolean known =
        joint > start
            && end - joint <= LONGEST_ENDING
            && ENDINGS.contains(text.substring(joint + 1, end).toLowerCase(Locale.ROOT));
    if (known) {
      return joint;
    }
    int at = end;
    while (at > start && end - at < 2 && Letters.isDigit(text.charAt(at - 1))) {
      at--;
    }
    return at < end && at - 1 > start && isJoint(text.charAt(at - 1)) ? at - 1 : at;
  }

  /// Whether a character can stand between the letters of a word.
  static boolean isDivider(char c) {
    return isJoint(c) || c == ' ';
  }

  private static boolean isJoint(char c) {
    return c == '_' || c == '-';
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

  /// Letters that words end with.
  private static final class Ending {

    private static final int LETTERS = 'z' - 'a' + 1;
    private static final SecretName[] NONE = {};

    /// The words that consist of these letters.
    private SecretName[] names = NONE;

    private final @Nullable Ending[] longer = new @Nullable Ending[LETTERS];
    private final Map<Character, Ending> others = new HashMap<>(0);

    void add(SecretName name) {
      names = Arrays.copyOf(names, names.length + 1);
      names[names.length - 1] = name;
    }

    /// These letters with one more before them; null if no word ends so.
    @Nullable Ending before(char c) {
      if (Letters.isLower(c)) {
        return longer[c - 'a'];
      }
      return c < 128 ? null : others.get(c);
    }

    private Ending grown(char c) {
      @Nullable Ending known = before(c);
      if (known != null) {
        return known;
      }
      var grown = new Ending();
      if (Letters.isLower(c)) {
        longer[c - 'a'] = grown;
      } else {
        others.put(c, grown);
      }
      return grown;
    }
  }
}
