package dev.agentmemory.text.secret;

import dev.agentmemory.text.secret.SecretName.Value;
import dev.agentmemory.text.secret.format.Letters;
import dev.agentmemory.text.secret.format.Secret;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// One pass over a text.
///
/// Idea: the text is read once, from candidate to candidate. A word is tried as the beginning of a
/// format, and its end as the end of a telling name; marks are tried as the beginning of a key, a
/// URL, an option or a span. Each of these looks back a bounded number of characters, and ahead
/// either a bounded number or over characters that are then masked. So the time is linear in the
/// length.
final class SecretScan {

  /// Least characters of a word that can be a secret without a format and a name of its own.
  static final int LEAST_RANDOM = 30;

  private static final String OPEN = "<private>";
  private static final String CLOSE = "</private>";

  /// Characters before a name that shows a secret only beside certain words.
  private static final int NEAR = 120;

  /// Characters from a name to `value` in `"name": "sid", "value": "x"`.
  private static final int PAIR = 24;

  /// Characters of base64 that are no letters, at the beginning of a value.
  private static final int MOST_SIGNS = 2;

  /// Characters from the name of a function that decodes to its argument.
  private static final int DECODER = 24;

  private static final List<String> DECODERS =
      List.of(
          "Buffer.from(",
          "fromhex(",
          "unhexlify(",
          "DecodeString(",
          "odeHex(",
          "ex.decode(",
          "hexToBytes(",
          "HexToBytes(",
          "fromHex(",
          "FromHexString(",
          "hex2bin(",
          "hex::decode(",
          "64decode(",
          "64_decode(",
          "FromBase64String(",
          "64.decode(");

  private static final List<String> ABOUT_WORDS =
      List.of("passw", "pwd", "login", "log in", "sign in", "credential", "passphrase", "logon");

  private static final List<String> NEAR_WORDS =
      List.of(
          "password",
          "secret",
          "encrypt",
          "username",
          "credential",
          "cipher",
          "login(",
          "email",
          "api key",
          "'crypt'",
          "\"crypt\"");

  private final SecretRules rules;
  private final Candidates candidates;
  private final String text;
  private final int length;
  private final BiConsumer<String, String> found;
  private @Nullable StringBuilder masked;
  private int copied;

  SecretScan(SecretRules rules, String text) {
    this(rules, text, SecretScan::ignore);
  }

  /// @param found receives the kind and the text of each secret
  SecretScan(SecretRules rules, String text, BiConsumer<String, String> found) {
    this(rules, rules.candidates(), text, found);
  }

  SecretScan(SecretRules rules, Candidates candidates, String text) {
    this(rules, candidates, text, SecretScan::ignore);
  }

  private SecretScan(
      SecretRules rules, Candidates candidates, String text, BiConsumer<String, String> found) {
    this.found = found;
    this.rules = rules;
    this.candidates = candidates;
    this.text = text;
    this.length = text.length();
  }

  private static void ignore(String kind, String secret) {}

  String masked() {
    char[] chars = Candidates.chars(text);
    int at = candidates.next(text, chars, 0);
    while (at < length) {
      int next = Letters.isWord(chars[at]) ? word(at) : mark(chars[at], at);
      at = candidates.next(text, chars, next);
    }
    return masked == null ? text : masked.append(text, copied, length).toString();
  }

  /// @param start where a word begins
  /// @return where to read on
  private int word(int start) {
    Secret begun = rules.formats().find(text, start);
    if (begun.found()) {
      return replace(begun, start);
    }
    // `-` joins a word, `--` does not.
    int end = start;
    int joint = -1;
    for (; end < length; end++) {
      char next = text.charAt(end);
      if (next == '_' || (next == '-' && Letters.at(text, end + 1) != '-')) {
        joint = end;
      } else if (!Letters.isWord(next)) {
        break;
      }
    }
    Secret led = rules.formats().findLed(text, start, end);
    if (led.found()) {
      return replace(led, start);
    }
    Secret prefixed = joint < 0 ? Secret.NONE : PrefixedKey.find(text, start, end);
    if (prefixed.found()) {
      return replace(prefixed, start);
    }
    Secret secret = find(start, end, joint);
    if (!secret.found()) {
      return rules.names().endAt(text, end) ? columns(end) : end;
    }
    return replace(exact(secret), secret.start() < end ? Math.min(start, secret.start()) : end);
  }

  /// Masks what stands below a name at the head of a column.
  ///
  /// @return where to read on
  private int columns(int name) {
    int at = name;
    for (Secret secret : TableSecrets.find(text, rules.names(), name)) {
      at = replace(secret, at);
    }
    return at;
  }

  /// The same secret with the kind of its format, if it has one.
  private Secret exact(Secret named) {
    Secret secret = rules.formats().find(text, named.start());
    return secret.start() == named.start() && secret.end() >= named.end() ? secret : named;
  }

  private Secret find(int start, int end, int joint) {
    SecretName name = rules.names().find(text, start, end, joint);
    Secret secret = name.found() ? named(name, start, end) : unnamed(start, end);
    if (!secret.found()) {
      secret = pair(start, end, joint);
    }
    if (!secret.found()) {
      secret = command(start, end);
    }
    if (!secret.found() && isCookie(start, end)) {
      SecretName cookie = rules.cookies().find(text, start, end, joint);
      secret = cookie.found() ? NamedSecret.find(text, cookie, start, end) : Secret.NONE;
    }
    char sign = Letters.at(text, end);
    boolean spaced = text.startsWith(" = (", end);
    boolean bare = sign == ' ' && "'\"".indexOf(Letters.at(text, end + 1)) >= 0;
    if (secret.found() || (sign != '=' && sign != '(' && !spaced && !bare)) {
      return secret;
    }
    return sign == '(' || spaced || bare || Letters.at(text, end + 1) == '('
        ? call(start, end, joint)
        : parameter(start, end, joint);
  }

  /// The word after a command.
  private Secret command(int start, int end) {
    for (CommandWord command : rules.commands(text.charAt(start))) {
      // The first word of the command.
      boolean begun =
          command.command().length() >= end - start
              && text.startsWith(command.command(), start)
              && !Letters.isJoined(Letters.at(command.command(), end - start))
              && !Letters.isJoined(Letters.at(text, start - 1));
      Secret secret = begun ? command.find(text, start) : Secret.NONE;
      if (secret.found()) {
        return secret;
      }
    }
    return Secret.NONE;
  }

  /// Whether a name stands in a list of cookies: `{"name": "sid", "value": "x"}`, or between tabs.
  private boolean isCookie(int start, int end) {
    char after = Letters.at(text, end);
    char sign = Letters.at(text, end + 1);
    boolean paired =
        sign == ',' && text.substring(end, Math.min(length, end + PAIR)).contains("value");
    boolean argument = sign == ',' && Letters.at(text, start - 2) == '(';
    return (Letters.isQuote(after) && (sign == ':' || paired || argument))
        || (after == '\t' && Letters.at(text, start - 1) == '\t');
  }

  private Secret pair(int start, int end, int joint) {
    SecretName name = rules.pairs().find(text, start, end, joint);
    return name.found() ? ToldSecret.pair(text, name, end) : Secret.NONE;
  }

  /// An argument of a call.
  private Secret call(int start, int end, int joint) {
    SecretName name = rules.calls().find(text, start, end, joint);
    return name.found() ? ToldSecret.call(text, name, end) : Secret.NONE;
  }

  /// The value of a parameter of a URL, or of a cookie.
  private Secret parameter(int start, int end, int joint) {
    if ("?&;#".indexOf(Letters.at(text, start - 1)) >= 0) {
      SecretName name = rules.parameters().find(text, start, end, joint);
      Secret secret = name.found() ? NamedSecret.find(text, name, start, end) : Secret.NONE;
      if (secret.found()) {
        return secret;
      }
    }
    SecretName name = rules.cookies().find(text, start, end, joint);
    return name.found() ? NamedSecret.find(text, name, start, end) : Secret.NONE;
  }

  private Secret named(SecretName name, int start, int end) {
    if (name.value() == Value.NEAR && !isNear(start)) {
      Secret secret = NamedSecret.find(text, name, start, end);
      return secret.found()
              && (SecretValues.isKey(text.substring(secret.start(), secret.end()))
                  || isDecoded(secret)
                  || isNear(lineEnd(secret.end()))
                  || isAboveSecret(lineEnd(secret.end())))
          ? secret
          : Secret.NONE;
    }
    if (name.value() == Value.BESIDE) {
      return isAbout(start, end) ? ToldSecret.mixed(text, name, end) : Secret.NONE;
    }
    if (name.value() == Value.CODES) {
      Secret codes = ListedSecret.codes(text, name, end);
      if (codes.found()) {
        return codes;
      }
      Secret single = NamedSecret.find(text, name.as(Value.PIN), start, end);
      return Letters.hasDigit(text, single.start(), single.end()) ? single : Secret.NONE;
    }
    Secret secret = NamedSecret.find(text, name, start, end);
    return secret.found() ? secret : before(name, start, end);
  }

  /// The index of the end of a line, or of a part of it that is as long as what is looked at.
  private int lineEnd(int from) {
    int end = Letters.indexOf(text, '\n', from, from + NEAR);
    return end >= 0 ? end : Math.min(length, from + NEAR);
  }

  /// Whether the next line begins with the name of a secret: `key: x` and `secret: y`.
  private boolean isAboveSecret(int line) {
    int at = Letters.skip(text, line + 1, " \t\"'-", NEAR);
    return Letters.at(text, line) == '\n' && text.regionMatches(true, at, "secret", 0, 6);
  }

  /// Whether a value is decoded to bytes, as keys of ciphers are.
  private boolean isDecoded(Secret secret) {
    String before = text.substring(Math.max(0, secret.start() - DECODER), secret.start());
    return secret.end() - secret.start() > LEAST_RANDOM
        && DECODERS.stream().anyMatch(before::contains);
  }

  /// Whether a word shortly before a name shows that it is the one of a secret.
  private boolean isNear(int start) {
    int from = Math.max(0, start - NEAR);
    String before = text.substring(from, start).toLowerCase(Locale.ROOT);
    return NEAR_WORDS.stream().anyMatch(before::contains);
  }

  /// Whether words on either side of a name are about signing in.
  private boolean isAbout(int start, int end) {
    int from = Math.max(0, start - NEAR);
    String around = text.substring(from, Math.min(length, end + NEAR)).toLowerCase(Locale.ROOT);
    return ABOUT_WORDS.stream().anyMatch(around::contains);
  }

  /// The value before a name: `use ... as the password`. What was masked is none.
  private Secret before(SecretName name, int start, int end) {
    Secret told = ToldSecret.before(text, name, start, end);
    if (!told.found() && name.value() == Value.ANY) {
      told = ToldSecret.beside(text, name, start, end);
    }
    Secret secret = told.found() ? told : FieldSecret.beforeName(text, name, start);
    if (secret.found() && secret.start() >= copied) {
      return secret;
    }
    return name.strong() ? ToldSecret.answer(text, name, start, end) : Secret.NONE;
  }

  private Secret unnamed(int start, int end) {
    if ((end - start == 4 && text.startsWith("echo", start))
        || (end - start == 6 && text.startsWith("printf", start))) {
      return PipedSecret.find(text, end);
    }
    if (end - start == 7 && text.startsWith("sqlplus", start)) {
      return FieldSecret.thin(text, Letters.skip(text, end, " ", 4));
    }
    if (end - start == 1 && Letters.at(text, end) == ':') {
      return ToldSecret.letter(text, start, end);
    }
    Secret part = PrivateKeyBlock.part(text, start, end);
    if (part.found() || end - start == 1) {
      return part;
    }
    // Text in base64 can begin with these.
    int first = start;
    while (first > 0 && start - first < MOST_SIGNS && "+/".indexOf(text.charAt(first - 1)) >= 0) {
      first--;
    }
    first =
        Letters.at(text, end) == '/' && Letters.isQuote(Letters.at(text, first - 1))
            ? start
            : first;
    if (Letters.at(text, first - 1) == '\n' && first > 0) {
      return BesideSecret.below(text, first);
    }
    if (first < start) {
      return BesideSecret.find(rules, text, first);
    }
    if (text.startsWith("],", start - 2)) {
      return BesideSecret.nextField(text, start);
    }
    return BesideSecret.find(rules, text, start);
  }

  /// @return where to read on
  private int mark(char c, int at) {
    if (c == '[' && text.startsWith(SecretMask.MASKED, at)) {
      int close = text.indexOf(']', at);
      if (close < 0) {
        return length;
      }
      String kind = text.substring(at + SecretMask.MASKED.length(), close);
      int end = close + 1;
      for (Secret part : ContinuedSecret.find(text, at, end, kind)) {
        end = replace(part, end);
      }
      if (end > close + 1) {
        return end;
      }
      Secret listed = BesideSecret.listed(text, at, close + 1);
      return listed.found() ? replace(listed, close + 1) : close + 1;
    }
    Secret secret =
        switch (c) {
          case '-' -> dash(at);
          case ':' ->
              text.startsWith("//", at + 1) ? UrlSecret.find(text, at) : FieldSecret.find(text, at);
          case '<' ->
              text.startsWith("<<<", at) ? PipedSecret.hereString(text, at) : privateSpan(at);
          default -> c >= 128 ? unspaced(at) : Secret.NONE;
        };
    if (!secret.found()) {
      secret = rules.formats().find(text, at);
    }
    if (secret.found()) {
      return replace(secret, at);
    }
    if (c == '\\') {
      // In JSON and source code the letter is no part of the next word.
      return "nrt".indexOf(Letters.at(text, at + 1)) >= 0 ? at + 2 : at + 1;
    }
    return at + 1;
  }

  /// `<private>...</private>`. Without an end it reaches to the end of the text.
  private Secret privateSpan(int at) {
    if (!text.regionMatches(true, at, OPEN, 0, OPEN.length())) {
      return Secret.NONE;
    }
    int end = text.indexOf('<', at + OPEN.length());
    while (end >= 0 && !text.regionMatches(true, end, CLOSE, 0, CLOSE.length())) {
      end = text.indexOf('<', end + 1);
    }
    return new Secret(at, end < 0 ? length : end + CLOSE.length(), "private");
  }

  private Secret dash(int at) {
    if (text.startsWith("----BEGIN ", at + 1)) {
      return PrivateKeyBlock.find(text, at);
    }
    char before = Letters.at(text, at - 1);
    if (before <= ' ' || Letters.isQuote(before)) {
      for (CommandOption option : rules.options(Letters.at(text, at + 1))) {
        Secret secret = option.find(text, at);
        if (secret.found()) {
          return secret;
        }
      }
    }
    return Secret.NONE;
  }

  private Secret unspaced(int at) {
    for (SecretName name : rules.unspaced()) {
      if (text.startsWith(name.word(), at)) {
        return ToldSecret.unspaced(text, name, at + name.word().length());
      }
    }
    return Secret.NONE;
  }

  /// @param known the text before this index has no secret that is not masked
  /// @return where to read on
  private int replace(Secret secret, int known) {
    if (masked == null) {
      masked = new StringBuilder(length);
    }
    int from = Math.max(known, copied);
    masked.append(text, copied, from);
    if (secret.start() > from) {
      String between = text.substring(from, secret.start());
      masked.append(new SecretScan(rules, candidates, between, found).masked());
    }
    masked.append(SecretMask.mask(secret.kind()));
    found.accept(secret.kind(), text.substring(secret.start(), secret.end()));
    copied = secret.end();
    return copied;
  }
}
