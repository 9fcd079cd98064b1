package dev.agentmemory.text.secret;

import dev.agentmemory.text.secret.SecretName.Value;
import dev.agentmemory.text.secret.format.Letters;
import dev.agentmemory.text.secret.format.Secret;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/// Finds the secret of a sentence: "the password of the server is ...", "my token: ...".
final class ToldSecret {

  private static final int MOST_WORDS = 12;
  private static final String OPENING =
      "\u201c\u201d\u201e\u201f\u201a\u2018\u00ab\u00bb\u2039\u203a\u300c\u300e\u300a\uff02";
  private static final String CLOSING =
      "\"'`\n\\\u201c\u201d\u2018\u2019\u00ab\u00bb\u2039\u203a\u300d\u300f\u300b\uff02";

  /// Also those of French, which do not break a line.
  private static final String SPACES = " \u00a0\u202f";

  private static final int LONGEST = 120;
  private static final int LONGEST_COPULA = 9;
  private static final int LONGEST_VALUE = 256;
  private static final int LEAST_GROUPS = 4;
  private static final int MOST_TAGS = 4;
  private static final int LONGEST_TAG = 40;

  /// Characters before a name that is the label of a field.
  private static final int LONGEST_LABEL = 24;

  /// Characters from a name to the end of the question for it.
  private static final int LONGEST_REST = 30;

  /// How the question for a secret begins.
  private static final List<String> ASKING =
      List.of("what", "send me", "send the", "need the", "give me", "which", "was ist", "wie ist");

  private static final SecretName PASSWORD =
      new SecretName("password", SecretName.After.START, "password", Value.TOLD);

  /// Arguments before the first that can be a password, in a call that connects to a server.
  private static final int BEFORE_CONNECT = 2;

  /// Characters between a name in a script without spaces and the value.
  private static final int MOST_PARTICLES = 8;

  /// Words between a value that is told first and the word or words before its name.
  private static final int MOST_BEFORE = 4;

  /// What can follow a name that is told after its value.
  private static final List<String> FOLLOWING =
      List.of(" for ", " of ", " to ", " on ", " in ", " at ", " and ", " when ", " (", " now");

  private static final Set<String> LINKS =
      Set.of("is", "as", "=", "for", "als", "ist", "como", "comme");

  /// Names of calls that get a user and a password.
  private static final Set<String> CREDENTIALS =
      Set.of(
          "basicauth",
          "httpbasicauth",
          "basicauthentication",
          "passwordcredential",
          "networkcredential",
          "usernamepasswordcredential",
          "passwordauthentication",
          "passwordcredentials",
          "usernamepasswordcredentials",
          "plaincredentials");

  /// What stands between a user and a password.
  private static final List<String> WITH =
      List.of(
          " with ", " and ", " mit ", " und ", " et ", " avec ", " y ", " con ", " e ", " com ",
          " using ", "/");

  /// What ends a line below which the value stands.
  private static final Set<String> BELOW = Set.of("below", "follows", "here", "unten", "folgt");

  /// After what a value is told in front of its name: `type x at the password prompt`.
  private static final List<String> VERBS =
      List.of("enter ", "type ", "use ", "try ", "paste ", "gib ", "nimm ");

  private static final Set<String> AS = Set.of("as", "als", "como", "comme");

  /// Words that tell of what a password is one.
  private static final Set<String> PREPOSITIONS =
      Set.of(
          "for", "of", "to", "on", "für", "von", "vom", "zum", "para", "de", "del", "do", "da",
          "pour", "per", "voor", "til", "till", "od", "от", "для", "к", "на");

  /// Words from such a word to what is told: `for the server x`.
  private static final int MOST_NAMED = 3;

  private static final String FORMER = "from";
  private static final String NEWER = " to ";

  /// Words before what is told.
  private static final Set<String> COPULAS =
      Set.of(
          """
          is was to = == be are becomes ist lautet lauten sind sont são sono c'est c’est war wurde auf est était es era son è é sarà jest
          это был будет on je este – — - -> → är er olsun là adalah είναι هي هو equals says its it's it’s enter
          type
          """
              .split("\\s+"));

  /// Words after which a number is told, and no time or amount.
  private static final Set<String> IS =
      Set.of("is", "ist", "lautet", "est", "es", "è", "é", "jest", "=");

  private static final String FENCE = "```";
  private static final int LEAST_HEX = 32;

  /// Characters of a token in brackets.
  private static final int LEAST_ENCLOSED = 16;

  private static final int LEAST_NUMBER = 6;
  private static final int LONGEST_NUMBER = 12;

  /// Words that can stand between such a word and what is told.
  private static final Set<String> ADVERBS =
      Set.of(
          "now",
          "still",
          "just",
          "currently",
          "again",
          "jetzt",
          "nun",
          "the",
          "simply",
          "set",
          "to");

  private ToldSecret() {}

  /// @param start where the name begins
  /// @param end index after it
  static Secret find(String text, SecretName name, int start, int end) {
    int limit = Math.min(text.length(), end + LONGEST);
    boolean told = false;
    String before = "";
    int named = -MOST_NAMED - 1;
    int at = end;
    if (name.strong() || name.value() == Value.SEED) {
      Secret groups = groups(text, name, Letters.skip(text, end, " \t", 2));
      if (groups.found()) {
        return groups;
      }
    }
    for (int words = 0; words < MOST_WORDS && at < limit; words++) {
      at = Letters.skip(text, at, " \t", LONGEST);
      int stop = at;
      while (stop < limit && text.charAt(stop) > ' ' && text.charAt(stop) != '[') {
        stop++;
      }
      if (stop == at || (stop == limit && limit < text.length())) {
        return Secret.NONE;
      }
      Secret secret = told ? value(text, name, at) : Secret.NONE;
      if (told && !secret.found() && name.value() == Value.PHRASE) {
        secret = ListedSecret.seed(text, name, at);
      }
      if (!told && name.strong() && words > named + 1 && words <= named + MOST_NAMED) {
        secret = last(text, name, at);
      }
      if (!secret.found() && told && IS.contains(before)) {
        secret = number(text, name, at, stop);
      }
      char last = text.charAt(stop - 1);
      if (secret.found() || ".;!?".indexOf(last) >= 0) {
        return text.regionMatches(true, at - FORMER.length() - 1, FORMER, 0, FORMER.length())
            ? withNewer(text, name, secret)
            : secret;
      }
      boolean ends = Letters.at(text, stop) == '\n' || Letters.at(text, stop) == '\r';
      if (ends && (last == ':' || BELOW.contains(text.substring(at, stop)))) {
        return below(text, name, stop);
      }
      // Longer words are none of those that matter.
      String word =
          stop - at > LONGEST_COPULA ? "" : text.substring(at, stop).toLowerCase(Locale.ROOT);
      before = word;
      named = PREPOSITIONS.contains(word) ? words : named;
      told =
          last == ':'
              || COPULAS.contains(word)
              || word.equals(FORMER)
              || (told && ADVERBS.contains(word));
      at = stop;
    }
    return Secret.NONE;
  }

  /// What ends its line and looks like no name: `password for kim x`.
  private static Secret last(String text, SecretName name, int at) {
    Secret secret = value(text, name, at);
    boolean last =
        secret.found()
            && (secret.end() == text.length() || "\r\n".indexOf(text.charAt(secret.end())) >= 0)
            && isPassword(text.substring(secret.start(), secret.end()));
    return last ? secret : Secret.NONE;
  }

  /// A former value together with the newer one: `the password was changed from ... to ...`.
  private static Secret withNewer(String text, SecretName name, Secret former) {
    int at = Letters.skip(text, former.end(), "\"'`", 2);
    if (!former.found() || !text.regionMatches(true, at, NEWER, 0, NEWER.length())) {
      return former;
    }
    Secret newer = value(text, name, at + NEWER.length());
    return newer.found() ? new Secret(former.start(), newer.end(), former.kind()) : former;
  }

  /// A value on a line of its own below the sentence.
  private static Secret below(String text, SecretName name, int from) {
    int at = lineStart(text, from);
    Secret secret = value(text, name, at);
    if (!secret.found() && name.value() == Value.PHRASE) {
      return ListedSecret.seed(text, name, at);
    }
    boolean alone =
        secret.found()
            && (secret.end() == text.length() || "\r\n`".indexOf(text.charAt(secret.end())) >= 0);
    return alone ? secret : Secret.NONE;
  }

  /// The index where the text of the next line begins, after the mark of a quotation or of code.
  static int lineStart(String text, int from) {
    int at = Letters.skip(text, from, " \t\r\n>", LONGEST);
    if (text.startsWith(FENCE, at)) {
      int line = Letters.indexOf(text, '\n', at, at + LONGEST_LABEL);
      return line < 0 ? at : Letters.skip(text, line, " \t\r\n", LONGEST);
    }
    return at;
  }

  /// What brackets enclose after a name: `the token (x)`.
  ///
  /// @param open index of the bracket
  static Secret enclosed(String text, SecretName name, int open) {
    int from = Letters.skip(text, open + 1, "\"'`", 1);
    int close = Letters.indexOf(text, ')', from, from + LONGEST_VALUE);
    int stop = close < 0 ? from : close;
    while (stop > from && "\"'`".indexOf(text.charAt(stop - 1)) >= 0) {
      stop--;
    }
    String value = text.substring(from, stop);
    boolean hex = value.chars().allMatch(c -> Character.digit(c, 16) >= 0);
    boolean secret =
        !value.isEmpty()
            && (!hex || value.length() >= LEAST_HEX)
            && (name.strong()
                ? SecretValues.isAlternating(value) || isPassword(value)
                : SecretValues.isAlternating(value) && value.length() >= LEAST_ENCLOSED)
            && Letters.indexOf(value, '=', 0, value.length() - 2) < 0
            && !SecretValues.isUuid(value)
            && !SecretValues.isAlgorithm(value)
            && SecretValues.isGiven(value)
            && name.value() != Value.NEAR;
    return secret ? new Secret(from, stop, name.kind()) : Secret.NONE;
  }

  /// The value of `use ... as the password`, `... is the admin password`, `... for the password`
  /// and `... (the password)`.
  ///
  /// @param start where the name begins
  /// @param after index after it
  static Secret before(String text, SecretName name, int start, int after) {
    String next = text.substring(after, Math.min(text.length(), after + LONGEST_COPULA));
    if (name.word().endsWith("words")
        || (next.startsWith(" ") && FOLLOWING.stream().noneMatch(next::startsWith))) {
      // Many of them, or `as the password hash`.
      return Secret.NONE;
    }
    int end = start;
    for (int words = 0; words < MOST_BEFORE && end > 1 && text.charAt(end - 1) == ' '; words++) {
      int from = end - 1;
      while (from > 0 && end - from < LONGEST_VALUE && text.charAt(from - 1) > ' ') {
        from--;
      }
      String word = text.substring(from, end - 1);
      if (name.value() == Value.ANY
          && word.length() > 1
          && word.startsWith("(")
          && word.chars().skip(1).allMatch(c -> Letters.isLetter((char) c))) {
        // `... (the admin password)`.
        return valueBefore(text, name, from);
      }
      if ((words > 0 || AS.contains(word)) && LINKS.contains(word)) {
        return valueBefore(text, name, from);
      }
      if (word.isEmpty() || !word.chars().allMatch(c -> Letters.isLetter((char) c))) {
        return Secret.NONE;
      }
      end = from;
    }
    return Secret.NONE;
  }

  /// @param end index after the space that follows the value
  private static Secret valueBefore(String text, SecretName name, int end) {
    int stop = end - 1;
    int from = stop;
    while (from > 0 && stop - from < LONGEST_VALUE && text.charAt(from - 1) > ' ') {
      from--;
    }
    if (from == stop || Letters.at(text, stop) != ' ') {
      return Secret.NONE;
    }
    Secret secret = value(text, name, from);
    return secret.found() && secret.end() <= stop ? secret : Secret.NONE;
  }

  /// The value that begins at an index, with or without quotes.
  static Secret value(String text, SecretName name, int at) {
    int from = Letters.skip(text, afterTags(text, at), "*(\\", 4);
    boolean quotes =
        from < text.length()
            && (Letters.isQuote(text.charAt(from)) || isOpening(text.charAt(from)));
    if (quotes) {
      return quoted(text, name, Letters.skip(text, from + 1, SPACES, 2));
    }
    int limit = Math.min(text.length(), from + LONGEST_VALUE);
    int stop = from;
    while (stop < limit
        && text.charAt(stop) > ' '
        && text.charAt(stop) < 127
        && "\"`\\<".indexOf(text.charAt(stop)) < 0) {
      stop++;
    }
    while (stop > from && ".,;:)!?'*".indexOf(text.charAt(stop - 1)) >= 0) {
      stop--;
    }
    if (name.value() == Value.PIN) {
      // The key that ends the entry of digits.
      from = Letters.skip(text, from, "#", 1);
      stop -= stop > from && text.charAt(stop - 1) == '#' ? 1 : 0;
    }
    if (stop <= from || stop - from == LONGEST_VALUE) {
      return Secret.NONE;
    }
    String value = text.substring(from, stop);
    if (SecretValues.isTold(value, name.value())) {
      return new Secret(from, Letters.skip(text, stop, "!", 2), name.kind());
    }
    return groups(text, name, from);
  }

  /// The index after tags such as `</b><b>`, and the spaces around them; the same index if there is
  /// none.
  static int afterTags(String text, int from) {
    int at = from;
    for (int tags = 0; tags < MOST_TAGS && Letters.at(text, at) == '<'; tags++) {
      int stop = Letters.at(text, at + 1) == '/' ? at + 2 : at + 1;
      if (!Letters.isLetter(Letters.at(text, stop))) {
        return from;
      }
      int close = Letters.indexOf(text, '>', stop, stop + LONGEST_TAG);
      if (close < 0) {
        return from;
      }
      at = Letters.skip(text, close + 1, " \t\r\n", MOST_PARTICLES);
    }
    return at;
  }

  /// The value on the line below one that consists of a name, as forms show it, or that asks for
  /// it: `whats the password?` and `kim: x`.
  ///
  /// @param start where the name begins
  /// @param end index of the end of its line
  static Secret lineBelow(String text, SecretName name, int start, int end) {
    int line = start;
    while (line > 0 && start - line < LONGEST_LABEL && text.charAt(line - 1) != '\n') {
      line--;
    }
    boolean label =
        name.found()
            && (line == 0 || text.charAt(line - 1) == '\n')
            && Letters.isUpper(Letters.at(text, line))
            && name.value() != Value.NEAR
            && text.substring(line, end)
                .chars()
                .allMatch(c -> Letters.isLetter((char) c) || c == ' ');
    if (!label) {
      return Secret.NONE;
    }
    int from = Letters.skip(text, end, " \t\r\n", 4);
    return mixedLine(text, name, from, from);
  }

  /// The last word of a line, if it is mixed like a secret.
  private static Secret mixedLine(String text, SecretName name, int line, int from) {
    int limit = Math.min(text.length(), line + LONGEST);
    int stop = from;
    while (stop < limit && text.charAt(stop) > ' ') {
      stop++;
    }
    boolean ends = stop == text.length() || "\r\n".indexOf(text.charAt(stop)) >= 0;
    boolean secret =
        ends
            && stop > from
            && SecretValues.isMixedUp(text.substring(from, stop))
            && SecretValues.isTold(text.substring(from, stop), name.value());
    return secret ? new Secret(from, stop, name.kind()) : Secret.NONE;
  }

  /// What answers the question for a secret, on the next line: `what's the password again?` and
  /// `kim: x`.
  ///
  /// @param start where the name begins
  /// @param end index after it
  static Secret answer(String text, SecretName name, int start, int end) {
    int stop = end;
    while (stop < text.length() && stop - end < LONGEST_REST && text.charAt(stop) != '\n') {
      if (":=[".indexOf(text.charAt(stop)) >= 0) {
        return Secret.NONE;
      }
      stop++;
    }
    if (Letters.at(text, stop) != '\n') {
      return Secret.NONE;
    }
    boolean asks = text.charAt(stop - 1) == '?' || asks(text, start);
    int line = stop + 1;
    int limit = Math.min(text.length(), line + LONGEST);
    int next = line;
    int from = line;
    while (asks && next < limit && text.charAt(next) != '\n') {
      from = text.charAt(next) == ' ' ? next + 1 : from;
      next++;
    }
    return asks && next > from ? mixedLine(text, name, line, from) : Secret.NONE;
  }

  private static boolean asks(String text, int start) {
    int line = start;
    while (line > 0 && start - line < LONGEST_REST * 2 && text.charAt(line - 1) != '\n') {
      line--;
    }
    String before = text.substring(line, start).toLowerCase(Locale.ROOT);
    return ASKING.stream().anyMatch(before::contains);
  }

  /// A value that is mixed like a secret, after a word that does not name it: `changed it to x`.
  ///
  /// @param end index after the words
  static Secret mixed(String text, SecretName name, int end) {
    Secret secret = Letters.at(text, end) == ' ' ? value(text, told(name), end + 1) : Secret.NONE;
    boolean mixed =
        secret.found()
            && SecretValues.isMixedUp(text.substring(secret.start(), secret.end()))
            && !SecretValues.isAlgorithm(text.substring(secret.start(), secret.end()));
    return mixed ? secret : Secret.NONE;
  }

  /// Whether a character is a quote of a sentence that begins what it encloses.
  static boolean isOpening(char c) {
    return OPENING.indexOf(c) >= 0;
  }

  private static Secret quoted(String text, SecretName name, int from) {
    int limit = Math.min(text.length(), from + LONGEST_VALUE);
    int stop = from;
    while (stop < limit && CLOSING.indexOf(text.charAt(stop)) < 0) {
      stop++;
    }
    if (stop == limit || stop == from || text.charAt(stop) == '\n') {
      return Secret.NONE;
    }
    while (stop > from && SPACES.indexOf(text.charAt(stop - 1)) >= 0) {
      stop--;
    }
    String value = text.substring(from, stop);
    boolean secret =
        SecretValues.isTold(value, name.value())
            || (name.value() == Value.ANY && isNumber(value))
            || (name.strong() && SecretValues.isPassphrase(value))
            || (name.value() == Value.PHRASE && SecretValues.isSecret(value, Value.PHRASE));
    return secret ? new Secret(from, stop, name.kind()) : Secret.NONE;
  }

  /// Enough digits for a password that nothing but digits make.
  private static boolean isNumber(String value) {
    return value.length() >= LEAST_NUMBER
        && value.length() <= LONGEST_NUMBER
        && value.chars().allMatch(c -> Letters.isDigit((char) c));
  }

  /// A number at the end of a sentence or a part of it: `the password is 83920174, ...`.
  private static Secret number(String text, SecretName name, int from, int stop) {
    int end = stop;
    while (end > from && ".,;!)".indexOf(text.charAt(end - 1)) >= 0) {
      end--;
    }
    boolean ends = end < stop || stop == text.length() || "\r\n".indexOf(text.charAt(stop)) >= 0;
    return ends && name.value() == Value.ANY && isNumber(text.substring(from, end))
        ? new Secret(from, end, name.kind())
        : Secret.NONE;
  }

  /// Four groups or more of four letters or digits each.
  static Secret groups(String text, SecretName name, int from) {
    int at = from;
    int groups = 0;
    int end = from;
    while (at + 4 <= text.length() && isGroup(text, at)) {
      groups++;
      end = at + 4;
      char after = Letters.at(text, end);
      if (after != ' ' && after != '-') {
        break;
      }
      at = end + 1;
    }
    String all = text.substring(from, end);
    boolean capitals = all.chars().anyMatch(c -> Letters.isUpper((char) c));
    boolean secret =
        groups >= LEAST_GROUPS
            && (Letters.hasDigit(all, 0, all.length())
                || ((!capitals || name.value() == Value.SEED) && SecretValues.hasRarePair(all)))
            && !Letters.isWord(Letters.at(text, end))
            && !name.kind().isEmpty();
    return secret ? new Secret(from, end, name.kind()) : Secret.NONE;
  }

  private static boolean isGroup(String text, int at) {
    for (int i = at; i < at + 4; i++) {
      if (!Letters.isPlain(text.charAt(i))) {
        return false;
      }
    }
    return !Letters.isPlain(Letters.at(text, at + 4));
  }

  /// Like [#find], for a name in a script that puts no spaces between words.
  ///
  /// @param end index after the name
  static Secret unspaced(String text, SecretName name, int end) {
    int limit = Math.min(text.length(), end + MOST_PARTICLES);
    int at = end;
    while (at < limit && (text.charAt(at) >= 0x2e80 || " :=\"'`".indexOf(text.charAt(at)) >= 0)) {
      at++;
    }
    if (at == end || at == limit) {
      return Secret.NONE;
    }
    Secret told = value(text, name, at);
    return told.found() || "\uff1a:".indexOf(text.charAt(at - 1)) < 0 ? told : line(text, name, at);
  }

  /// A word up to the end of its line.
  private static Secret line(String text, SecretName name, int from) {
    int limit = Math.min(text.length(), from + LONGEST);
    int stop = from;
    while (stop < limit && text.charAt(stop) > ' ' && text.charAt(stop) < 127) {
      stop++;
    }
    boolean ends = stop == text.length() || "\r\n".indexOf(text.charAt(stop)) >= 0;
    boolean secret =
        ends
            && stop > from
            && SecretValues.isSecretBare(text.substring(from, stop), name.value(), false, true);
    return secret ? new Secret(from, stop, name.kind()) : Secret.NONE;
  }

  /// `login as user / password`, `credentials are user:password`.
  ///
  /// @param end index after the name
  static Secret pair(String text, SecretName name, int end) {
    int limit = Math.min(text.length(), end + LONGEST / 2);
    for (int at = end; at + 2 < limit && ";\n[".indexOf(text.charAt(at)) < 0; at++) {
      if (text.charAt(at) == '.' && text.charAt(at + 1) <= ' ') {
        return Secret.NONE;
      }
      if (text.startsWith(" / ", at)) {
        return value(text, told(name), at + 3);
      }
      if (text.charAt(at) == ' ' || text.charAt(at) == '/') {
        Secret password = withUser(text, name, end, at);
        if (password.found()) {
          return password;
        }
      }
      if (text.charAt(at) == ':' && Letters.isPlain(text.charAt(at + 1)) && isUser(text, end, at)) {
        return value(text, told(name), at + 1);
      }
    }
    return Secret.NONE;
  }

  /// Whether a value has a symbol that no name has.
  static boolean hasMarks(String value) {
    return value.chars().anyMatch(c -> "!#$%&*+=?@^".indexOf(c) >= 0);
  }

  /// Whether a value is mixed as in no name: with marks, or with several digits.
  private static boolean isPassword(String value) {
    boolean digits = value.chars().filter(c -> Letters.isDigit((char) c)).count() > 2;
    return (digits || hasMarks(value))
        && SecretValues.isMixedUp(value)
        && SecretValues.isTold(value, Value.ANY);
  }

  /// The value of `enter x when it asks for the password` and `it wants a password, use x`.
  ///
  /// @param start where the name begins
  /// @param end index after it
  static Secret beside(String text, SecretName name, int start, int end) {
    for (String verb : VERBS) {
      if (text.startsWith(verb, Letters.skip(text, end, ", ", 2))) {
        return marked(
            value(text, told(name), Letters.skip(text, end, ", ", 2) + verb.length()), text);
      }
    }
    int least = Math.max(0, start - LONGEST / 2);
    String before = text.substring(least, start).toLowerCase(Locale.ROOT);
    int sentence =
        Math.max(
            before.lastIndexOf('\n'), Math.max(before.lastIndexOf(". "), before.lastIndexOf(';')));
    for (String verb : VERBS) {
      int at = before.lastIndexOf(verb);
      if (at > sentence && !Letters.isWord(Letters.at(text, least + at - 1))) {
        Secret secret = marked(value(text, told(name), least + at + verb.length()), text);
        return secret.end() < start ? secret : Secret.NONE;
      }
    }
    return Secret.NONE;
  }

  private static Secret marked(Secret secret, String text) {
    if (!secret.found()) {
      return Secret.NONE;
    }
    String value = text.substring(secret.start(), secret.end());
    boolean quoted = Letters.isQuote(Letters.at(text, secret.start() - 1));
    boolean password = quoted ? isPassword(value) : hasMarks(value);
    return password && SecretValues.isMixedUp(value) ? secret : Secret.NONE;
  }

  /// The password of `login as user with X` and `login user/X`.
  ///
  /// @param from index after the name
  /// @param at index of what follows the user
  private static Secret withUser(String text, SecretName name, int from, int at) {
    int user = at;
    while (user > from && Letters.isQuote(text.charAt(user - 1))) {
      user--;
    }
    boolean named = isUser(text, from, user);
    for (String joint : WITH) {
      if (named && text.startsWith(joint, at)) {
        Secret secret = value(text, told(name), at + joint.length());
        String value = text.substring(secret.start(), secret.end());
        boolean quoted = Letters.isQuote(Letters.at(text, secret.end()));
        boolean password = quoted ? isPassword(value) : hasMarks(value);
        return secret.found() && value.indexOf('/') < 0 && SecretValues.isMixedUp(value) && password
            ? secret
            : Secret.NONE;
      }
    }
    return Secret.NONE;
  }

  /// Whether a word stands before a colon.
  private static boolean isUser(String text, int from, int colon) {
    int at = colon;
    while (at > from && (Letters.isJoined(text.charAt(at - 1)) || text.charAt(at - 1) == '.')) {
      at--;
    }
    return at > from && at < colon && " \"'`".indexOf(text.charAt(at - 1)) >= 0;
  }

  /// The password of `u: x p: y`.
  ///
  /// @param start where a single letter begins that a colon follows
  /// @param end index of the colon
  static Secret letter(String text, int start, int end) {
    if ((text.charAt(start) | 0x20) != 'p' || Letters.at(text, end + 1) != ' ') {
      return Secret.NONE;
    }
    String before = text.substring(Math.max(0, start - LONGEST / 2), start);
    int above = before.lastIndexOf('\n', before.lastIndexOf('\n') - 1);
    String line = before.substring(above + 1).toLowerCase(Locale.ROOT);
    boolean user = Stream.of("u: ", "l: ", "user: ", "login: ").anyMatch(line::contains);
    return user ? value(text, PASSWORD, end + 2) : Secret.NONE;
  }

  private static SecretName told(SecretName name) {
    return new SecretName(name.word(), name.after(), name.kind(), Value.TOLD);
  }

  /// `login("user", "password")`, `login 'user', 'password'`: the last argument in quotes that
  /// looks like a password, but not the first one; `hash("password")`: the first one.
  ///
  /// @param end index after the name
  static Secret call(String text, SecretName name, int end) {
    int at = Letters.skip(text, end, " =(", 4);
    if (Letters.at(text, at - 1) != '(' && name.value() == Value.ARGUMENT) {
      return Secret.NONE;
    }
    int limit = Math.min(text.length(), at + LONGEST);
    int first = name.value() == Value.ARGUMENT ? 0 : 1;
    first = name.word().equals("connect") ? BEFORE_CONNECT : first;
    Secret last = Secret.NONE;
    for (int argument = 0; at < limit && ");\n".indexOf(text.charAt(at)) < 0; at++) {
      char quote = text.charAt(at);
      if (quote == ',') {
        argument++;
      } else if (quote == '"' || quote == '\'') {
        int close = Letters.indexOf(text, quote, at + 1, limit);
        if (close < 0) {
          return last;
        }
        Secret groups = argument >= first ? groups(text, name, at + 1) : Secret.NONE;
        String value = text.substring(at + 1, close);
        boolean told =
            (groups.found() && groups.end() == close)
                || (argument >= first
                    && SecretValues.isTold(value, Value.TOLD)
                    && !SecretValues.isAlgorithm(value));
        told |= argument == 1 && isCertain(text, name, end, close);
        last = told ? new Secret(at + 1, close, name.kind()) : last;
        if (name.value() == Value.ARGUMENT) {
          return last;
        }
        at = close;
      }
    }
    return last;
  }

  /// Whether the last of two arguments is a password, whatever it looks like: `auth=("user", "x")`.
  private static boolean isCertain(String text, SecretName name, int end, int close) {
    boolean pair = CREDENTIALS.contains(name.word()) || text.startsWith("auth=(", end - 4);
    int open = text.lastIndexOf(text.charAt(close), close - 1);
    return pair
        && Letters.at(text, close + 1) == ')'
        && SecretValues.isSecret(text.substring(open + 1, close), Value.ANY)
        && !SecretValues.namesSecret(text.substring(open + 1, close));
  }
}
