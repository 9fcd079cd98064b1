package dev.agentmemory.text.secret;

import dev.agentmemory.text.Lexicon;
import dev.agentmemory.text.secret.format.Letters;
import dev.agentmemory.text.secret.format.Secret;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/// Finds a random value that has no name, but stands beside something that shows what it is: in one
/// line with a word like `api key`, after a value that is masked, in the call of a client, or below
/// a command that prints or generates a secret.
final class BesideSecret {

  private static final String KIND = "secret";
  private static final int AROUND = 100;
  private static final int LONGEST = 200;
  private static final int LEAST = 20;
  private static final int LEAST_HEX = 30;
  private static final int LONGEST_LINE = 200;
  private static final int LEAST_TOLD = 8;
  private static final int MANY_DIGITS = 4;
  private static final int LEAST_PRINTED = 10;

  /// Characters of a random value that the command before it names.
  private static final int LEAST_OF_NAMED = 16;

  /// Characters of a password that is handed over as an array.
  private static final int LONGEST_PASSWORD = 64;

  /// Parts of lines that open what a password protects.
  private static final List<String> KEEPERS =
      List.of(
          ".load(", "keystore", "pass", "pbekey", "getkey(", "setkey", "credential", "keyentry");

  private static final int ETHEREUM_KEY = 66;
  private static final int AWS_SECRET = 40;
  private static final String AWS_KEY = "aws_key";

  /// Characters of a word before a value in a list.
  private static final int LONGEST_TITLE = 12;

  /// Kinds of which there can be lists.
  private static final Set<String> LISTED = Set.of("password", "secret", "token", "api_key");

  private static final List<String> JOINTS =
      List.of(
          ", and ",
          ", ",
          " and ",
          " or ",
          " und ",
          " oder ",
          " et ",
          " ou ",
          " y ",
          " / ",
          " with ",
          " to ",
          " durch ",
          " par ",
          " por ",
          " -> ",
          " => ",
          " \u2192 ");

  private static final Lexicon LISTS = Lexicon.beside(BesideSecret.class, "beside-words.txt");
  private static final Collection<String> CLIENTS = LISTS.words("clients");
  private static final Collection<String> GENERATORS = LISTS.phrases("generators");
  private static final Collection<String> PRINTED = LISTS.words("printed");
  private static final Collection<String> HARMLESS = LISTS.phrases("harmless");
  private static final Set<String> PROGRAMS = Set.copyOf(LISTS.words("programs"));

  /// Signs of shells before a command.
  private static final Set<String> PROMPTS = Set.of("$", "#", ">", "%", "\u276f", "\u279c");

  private BesideSecret() {}

  /// An argument or an element of a list.
  ///
  /// @param start where a word begins
  static Secret find(SecretRules rules, String text, int start) {
    char quote = Letters.at(text, start - 1);
    if (!Letters.isQuote(quote) || !isArgument(text, start - 2)) {
      return Secret.NONE;
    }
    Secret characters = characters(text, start, quote);
    if (characters.found()) {
      return characters;
    }
    int stop = start;
    while (stop < text.length() && stop - start <= LONGEST && isToken(text.charAt(stop))) {
      stop++;
    }
    if (stop - start < LEAST || Letters.at(text, stop) != quote) {
      return Secret.NONE;
    }
    String value = text.substring(start, stop);
    boolean hex = value.chars().allMatch(c -> Character.digit(c, 16) >= 0);
    boolean random = SecretValues.isRandom(value, LEAST) && (hex || isVaried(value));
    if (SecretValues.isUuid(value) && isOfClient(rules, text, start)) {
      return new Secret(start, stop, KIND);
    }
    boolean secret =
        random
            && (isAfterMask(text, start - 2)
                || isOfClient(rules, text, start)
                || ((!hex || isLater(text, start - 2)) && isOfSession(text, start))
                || isAccount(text, start, value)
                || (value.length() >= (hex ? LEAST_HEX : LEAST)
                    && (isNamed(rules, text, lineStart(text, start), start - 1)
                        || isNamed(rules, text, stop + 1, lineEnd(text, stop)))));
    return secret ? new Secret(start, stop, KIND) : Secret.NONE;
  }

  /// A password that is handed over as an array: `keyStore.load(in, "x".toCharArray())`.
  private static Secret characters(String text, int start, char quote) {
    int stop = Letters.indexOf(text, quote, start, start + LONGEST_PASSWORD);
    if (stop < 0 || !text.startsWith(".toCharArray()", stop + 1)) {
      return Secret.NONE;
    }
    String line = text.substring(lineStart(text, start), start).toLowerCase(Locale.ROOT);
    boolean secret =
        KEEPERS.stream().anyMatch(line::contains)
            && SecretValues.isTold(text.substring(start, stop), SecretName.Value.ANY);
    return secret ? new Secret(start, stop, "password") : Secret.NONE;
  }

  private static boolean isToken(char c) {
    return Letters.isJoined(c) || "+/=".indexOf(c) >= 0;
  }

  /// Whether a value has small and large letters, or many digits, and is no name with marks.
  private static boolean isVaried(String value) {
    boolean upper = value.chars().anyMatch(c -> Letters.isUpper((char) c));
    boolean lower = value.chars().anyMatch(c -> Letters.isLower((char) c));
    boolean marks = value.indexOf('_') >= 0 || value.indexOf('-') >= 0;
    long digits = value.chars().filter(c -> Letters.isDigit((char) c)).count();
    int padding = value.indexOf('=');
    return !SecretValues.isUuid(value)
        && (padding < 0 || padding >= value.length() - 2)
        && ((upper && lower) || (!marks && digits >= MANY_DIGITS));
  }

  private static int lineStart(String text, int from) {
    int at = from;
    while (at > 0 && from - at < AROUND && text.charAt(at - 1) != '\n') {
      at--;
    }
    return at;
  }

  private static int lineEnd(String text, int from) {
    int at = from;
    while (at < text.length() && at - from < AROUND && text.charAt(at) != '\n') {
      at++;
    }
    return at;
  }

  /// Whether the value is an argument of a call, or an element of a list.
  private static boolean isArgument(String text, int before) {
    int at = before;
    // The letter of a literal.
    at -=
        "@bru".indexOf(Letters.at(text, at)) >= 0 && !Letters.isWord(Letters.at(text, at - 1))
            ? 1
            : 0;
    while (at > 0 && Letters.isSpace(text.charAt(at))) {
      at--;
    }
    return "(,[".indexOf(Letters.at(text, at)) >= 0
        || text.startsWith("setValue:@", at - 8)
        || (at < before && text.startsWith("new", at - 2) && Letters.at(text, at - 3) == '.');
  }

  /// A value that stands with one that is masked in a list: `keys: dev x, prod y`, `x and y`; or
  /// the secret of a key of AWS in the same line.
  ///
  /// @param at index of the mask
  /// @param after index after it
  static Secret listed(String text, int at, int after) {
    String kind = text.substring(at + SecretMask.MASKED.length(), after - 1);
    if (kind.equals(AWS_KEY)) {
      return awsSecret(text, after);
    }
    if (!LISTED.contains(kind)) {
      return Secret.NONE;
    }
    int from = Letters.skip(text, after, "\"'`", 1);
    int begin = from;
    for (String sign : JOINTS) {
      from = from == begin && text.startsWith(sign, begin) ? begin + sign.length() : from;
    }
    if (from == begin) {
      return Secret.NONE;
    }
    int word = from;
    while (word - from < LONGEST_TITLE && Letters.isLetter(Letters.at(text, word))) {
      word++;
    }
    int gap = Letters.skip(text, word, ":= ", 2);
    from = gap > word && word > from ? gap : from;
    from = Letters.skip(text, from, "\"'`", 1);
    int stop = from;
    while (stop < text.length() && stop - from <= LONGEST && isToken(text.charAt(stop))) {
      stop++;
    }
    boolean ends = stop == text.length() || " ,.;)\"'`\r\n".indexOf(text.charAt(stop)) >= 0;
    String value = text.substring(from, stop);
    boolean mixed =
        kind.equals("password")
            && SecretValues.isMixedUp(value)
            && value.chars().filter(c -> Letters.isDigit((char) c)).count() > 1
            && SecretValues.isTold(value, SecretName.Value.ANY);
    return ends && (mixed || SecretValues.isAlternating(value)) && !SecretValues.isUuid(value)
        ? new Secret(from, stop, kind)
        : Secret.NONE;
  }

  private static Secret awsSecret(String text, int after) {
    int limit = Math.min(text.length(), after + AROUND);
    int from = after;
    for (int at = after; at < limit && text.charAt(at) != '\n'; at++) {
      if (!isToken(text.charAt(at))) {
        from = at + 1;
      } else if ((at + 1 == limit && limit < text.length()) || at + 1 - from > AWS_SECRET) {
        return Secret.NONE;
      } else if (at + 1 - from == AWS_SECRET
          && !isToken(Letters.at(text, at + 1))
          && SecretValues.isKey(text.substring(from, at + 1))) {
        return new Secret(from, at + 1, "aws_secret");
      }
    }
    return Secret.NONE;
  }

  /// Whether the argument before is masked.
  private static boolean isAfterMask(String text, int before) {
    int at = before;
    while (at > 0 && Letters.isSpace(text.charAt(at))) {
      at--;
    }
    if (Letters.at(text, at) != ',' || !Letters.isQuote(Letters.at(text, at - 1))) {
      return false;
    }
    int open = maskThatEnds(text, at - 2);
    return open > 0 && Letters.isQuote(text.charAt(open - 1));
  }

  /// Where a mask begins whose bracket closes at an index; -1 if there is none.
  private static int maskThatEnds(String text, int close) {
    if (Letters.at(text, close) != ']') {
      return -1;
    }
    int at = close - 1;
    while (at >= 0 && close - at < AROUND && "[]\n".indexOf(text.charAt(at)) < 0) {
      at--;
    }
    return at >= 0 && text.startsWith(SecretMask.MASKED, at) ? at : -1;
  }

  /// Whether the value is not the first argument.
  private static boolean isLater(String text, int before) {
    int at = before;
    while (at > 0 && Letters.isSpace(text.charAt(at))) {
      at--;
    }
    return Letters.at(text, at) == ',';
  }

  /// The key of an account of a chain.
  private static boolean isAccount(String text, int start, String value) {
    boolean key = value.length() == ETHEREUM_KEY && value.startsWith("0x");
    boolean bare = value.length() == ETHEREUM_KEY - 2 && Letters.at(text, start - 2) == '[';
    return (key || bare) && text.substring(lineStart(text, start), start).contains("accounts");
  }

  private static boolean isOfSession(String text, int start) {
    String callee = callee(text, start);
    return CLIENTS.stream().anyMatch(callee::contains);
  }

  /// Whether the called name is the one of a client that gets its keys as arguments.
  private static boolean isOfClient(SecretRules rules, String text, int start) {
    return Stream.of(callee(text, start).split("[^a-z]+", -1))
        .anyMatch(word ->
            rules.isClient(word) || rules.isClient(word.replaceFirst("(api|client|sdk)$", "")));
  }

  /// The name before the bracket around an argument, in lower case.
  private static String callee(String text, int start) {
    int least = lineStart(text, start);
    int depth = 0;
    int at = start - 2;
    while (at > least) {
      char c = text.charAt(at);
      depth += c == ')' ? 1 : c == '(' ? -1 : 0;
      if (depth < 0 || (c == ' ' && text.startsWith(".new", at - 4))) {
        break;
      }
      at--;
    }
    int from = at;
    while (from > least && isCallee(text.charAt(from - 1))) {
      from--;
    }
    String callee = text.substring(from, at).toLowerCase(Locale.ROOT);
    // `f([]byte("x"))`.
    return callee.equals("byte") && Letters.at(text, from - 1) == ']' ? callee(text, from) : callee;
  }

  private static boolean isCallee(char c) {
    return Letters.isWord(c) || ".:>".indexOf(c) >= 0;
  }

  private static boolean isNamed(SecretRules rules, String text, int from, int to) {
    int at = from;
    while (at < to) {
      int end = at;
      while (end < to && Letters.isWord(text.charAt(end))) {
        end++;
      }
      if (end > at && (isName(rules, text, at, end) || isPlural(rules, text, at, end))) {
        return true;
      }
      at = end + 1;
    }
    return false;
  }

  private static boolean isName(SecretRules rules, String text, int at, int end) {
    SecretName name = rules.names().find(text, at, end, -1);
    return name.found() && name.value() != SecretName.Value.NEAR;
  }

  private static boolean isPlural(SecretRules rules, String text, int at, int end) {
    return "sS".indexOf(text.charAt(end - 1)) >= 0 && isName(rules, text, at, end - 1);
  }

  /// The field of a line of a table after one that is masked.
  ///
  /// @param start where the field begins
  static Secret nextField(String text, int start) {
    if (maskThatEnds(text, start - 2) < 0) {
      return Secret.NONE;
    }
    int stop = start;
    while (stop < text.length() && stop - start <= LONGEST && isToken(text.charAt(stop))) {
      stop++;
    }
    boolean line = stop == text.length() || "\r\n,".indexOf(text.charAt(stop)) >= 0;
    boolean secret =
        line
            && stop - start >= LEAST
            && stop - start <= LONGEST
            && SecretValues.isRandom(text.substring(start, stop), LEAST)
            && isVaried(text.substring(start, stop));
    return secret ? new Secret(start, stop, KIND) : Secret.NONE;
  }

  /// A line that follows a command which prints or generates a secret.
  ///
  /// @param start where the line begins
  static Secret below(String text, int start) {
    int stop = start;
    while (stop < text.length() && stop - start <= LONGEST && text.charAt(stop) > ' ') {
      stop++;
    }
    boolean line = stop == text.length() || "\r\n".indexOf(text.charAt(stop)) >= 0;
    if (!line || stop - start < LEAST_TOLD || stop - start > LONGEST) {
      return Secret.NONE;
    }
    String value = text.substring(start, stop);
    boolean random = SecretValues.isRandom(value, LEAST) && !SecretValues.isUuid(value);
    String before = before(text, start);
    boolean named = SecretValues.isUuid(value) || SecretValues.isRandom(value, LEAST_OF_NAMED);
    if ((random && isCommand(before))
        || (named && isPrinted(before))
        || (value.length() >= LEAST_PRINTED
            && SecretValues.isTold(value, SecretName.Value.ANY)
            && before.contains("passw")
            && isPrinted(before))) {
      return new Secret(start, stop, KIND);
    }
    // Files with a user and a password below it.
    boolean user =
        !before.isEmpty()
            && before.chars().allMatch(c -> Letters.isJoined((char) c) || c == '.' || c == '@');
    boolean told = user && SecretValues.isTold(value, SecretName.Value.ANY);
    boolean printed = told && isPrinted(before(text, start - before.length() - 1));
    return printed ? new Secret(start, stop, KIND) : Secret.NONE;
  }

  /// The line before one, in lower case.
  private static String before(String text, int start) {
    int end = start - 1;
    int from = end;
    while (from > 0 && end - from < LONGEST_LINE && text.charAt(from - 1) != '\n') {
      from--;
    }
    return end <= from ? "" : text.substring(from, end).toLowerCase(Locale.ROOT);
  }

  private static boolean isCommand(String line) {
    return contains(line, GENERATORS) || isPrinted(line);
  }

  private static boolean isPrinted(String line) {
    String first = line.substring(0, Math.max(0, line.indexOf(' ')));
    boolean prompt = line.contains("$ ") || PROMPTS.contains(first) || PROGRAMS.contains(first);
    return prompt && contains(line, PRINTED) && !contains(line, HARMLESS);
  }

  private static boolean contains(String line, Collection<String> words) {
    return words.stream().anyMatch(line::contains);
  }
}
