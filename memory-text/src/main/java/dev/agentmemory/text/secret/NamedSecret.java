package dev.agentmemory.text.secret;

import dev.agentmemory.text.secret.SecretName.Value;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Finds the value after a name that shows that it is a secret: `name = value`, `name: value`,
/// `"name": "value"`, `name => value`, `name("value")`, `"name", "value"`, `<name>value</name>`,
/// `--name value`, `name value`. An expression that reads the value, such as `os.environ["X"]`, is
/// not a secret.
final class NamedSecret {

  /// Most spaces and quotes on either side of the sign.
  private static final int MOST_BETWEEN = 24;

  private static final int LONGEST_NAME = 64;
  private static final String NAME_MARKS = " \t\"'`\\*])";
  private static final String VALUE = "value";
  private static final String DEFAULT = "default";
  private static final String FORM = "form-data; name=\"";
  private static final String SEED_MARKS = " \t\r\n\"',.[]()0123456789";
  private static final int LEAST_SEED = 11;
  private static final int LONGEST_SEED_WORD = 9;
  private static final String PARAMETER = "parameter";
  private static final String PAIR_MARKS = " \t\r\n\"'`,\\-";
  private static final String CDATA = "<![CDATA[";

  /// Characters of an unquoted value that are examined. More is read only of a value that is then
  /// masked, so that no part of a long run without a space is read repeatedly.
  private static final int LONGEST_LOOK = 256;

  /// Characters of a quoted value.
  private static final int LONGEST_QUOTED = 4096;

  /// Characters of a type, or of the attributes of an element.
  private static final int LONGEST_TYPE = 80;

  private static final int COOKIE_LINE = 300;

  /// Characters of a command or an entry before a name in it.
  private static final int LONGEST_COMMAND = 160;

  /// Characters from the head of a section to a name in it.
  private static final int LONGEST_SECTION = 400;

  private static final int LEAST_LAST = 10;

  /// Fields between a name and its value.
  private static final int MOST_FIELDS = 3;

  private static final int LONGEST_FIELD = 64;

  /// Characters from a value to the name after it.
  private static final int LONGEST_BEFORE = 300;

  /// Calls after the one that selects a field.
  private static final int MOST_CALLS = 3;

  private static final int LONGEST_METHOD = 24;

  /// Methods, without `_`, that write to a field or give what stands for a missing value.
  private static final Set<String> WRITERS =
      Set.of(
          """
          fill type sendkeys val setvalue typetext presssequentially inputtext entertext settext
          performtextinput replacetext addvalue set input unwrapor unwraporelse orelse orelseget
          getorelse
          """
              .strip()
              .split("\\s+"));

  private static final List<String> KEYWORDS = List.of("with: ", ":with => ", "value: ", "text: ");

  /// How a field is found.
  private static final Set<String> LOCATORS = Set.of("id", "name", "css", "xpath", "identifier");

  private static final int LONGEST_LOCATOR = 12;

  private static final List<String> REGISTERED =
      List.of("REG_SZ", "REG_EXPAND_SZ", "REG_MULTI_SZ", "/t REG_SZ /d");

  private final String text;
  private final SecretName name;

  /// Where the name begins and ends.
  private final int start;

  private final int end;

  private NamedSecret(String text, SecretName name, int start, int end) {
    this.text = text;
    this.name = name;
    this.start = start;
    this.end = end;
  }

  /// @param start where the name begins
  /// @param end index after the name
  static Secret find(String text, SecretName name, int start, int end) {
    return new NamedSecret(text, name, start, end).find();
  }

  private Secret find() {
    int paired = paired();
    if (paired >= 0) {
      return value(paired, paired + 1);
    }
    if (text.startsWith("'s ", end) || text.startsWith("\u2019s ", end)) {
      return ToldSecret.value(text, name, end + 3);
    }
    if (name.value() == Value.COOKIE && Letters.at(text, end) != '\t' && !isCookie()) {
      return Secret.NONE;
    }
    int at = afterMarks(end);
    char sign = Letters.at(text, at);
    char after = Letters.at(text, at + 1);
    return switch (sign) {
      case '=' -> equal(at, after);
      case ':' -> after == '=' ? value(at, at + 2) : after == ':' ? encoded(at) : colon(at);
      case '\uff1a' -> value(at, at + 1);
      case '?' -> after == '=' ? value(at, at + 2) : Secret.NONE;
      case '.' -> text.startsWith(" . \"", end) ? written(at + 2) : chained(at);
      case '/' -> text.startsWith("/i), ", at) ? argument(at + 4) : other(at);
      case ',' ->
          isAssignedWithError(at)
              ? value(at, text.indexOf('=', at) + 1)
              : isQuoted() || isSelected(at) || Letters.at(text, start - 1) == '{'
                  ? argument(at + 1)
                  : ToldSecret.find(text, name, start, at + 1);
      case '(' -> at == end ? called(at) : spaced(at);
      case '{' -> isQuoted() || at > end ? NestedValue.inBlock(text, name, at) : Secret.NONE;
      case '&' -> NestedValue.escaped(text, name, end);
      case '>' -> element(at);
      case '|' -> after == '|' ? argument(at + 2) : cell(at + 1);
      case '<' ->
          text.startsWith("</key>", at)
              ? element(at)
              : after == '-' ? value(at, at + 2) : after == '/' ? marked(at) : Secret.NONE;
      case '\n', '\r' -> at == end ? ToldSecret.lineBelow(text, name, start, at) : other(at);
      case '%' ->
          text.startsWith("%3D", at) || text.startsWith("%3A", at)
              ? value(at, at + 3)
              : NestedValue.escaped(text, name, end);
      default -> other(at);
    };
  }

  private Secret other(int at) {
    if (at == text.length() || at == end) {
      return Secret.NONE;
    }
    if (at == end + 1 && text.startsWith(FORM, start - FORM.length())) {
      return part(at);
    }
    if (text.startsWith("\\u00", end)) {
      return NestedValue.escaped(text, name, end);
    }
    return spaced(at);
  }

  /// `name, err := f("x")`.
  private boolean isAssignedWithError(int at) {
    return text.startsWith(", _ := ", at) || text.startsWith(", err := ", at);
  }

  /// Whether the name stands in brackets of a selector: `'input[name=password]', 'x'`.
  private boolean isSelected(int at) {
    return Letters.at(text, end) == ']' && Letters.isQuote(Letters.at(text, at - 1));
  }

  /// What is written to the field that the name selects: `getByLabel("password").fill("x")`,
  /// `id("password").value = "x"`; or what stands for a variable without a value:
  /// `var("NAME").unwrap_or("x")`.
  ///
  /// @param dot index of the first dot
  private Secret chained(int dot) {
    int at = dot;
    for (int calls = 0; calls < MOST_CALLS && Letters.at(text, at) == '.'; calls++) {
      int word = at + 1;
      int stop = word;
      while (stop - word < LONGEST_METHOD && Letters.isWord(Letters.at(text, stop))) {
        stop++;
      }
      String method = text.substring(word, stop).toLowerCase(Locale.ROOT).replace("_", "");
      if (method.equals(VALUE) && text.startsWith(" = ", stop)) {
        return written(stop + 3);
      }
      if (Letters.at(text, stop) != '(' || dot == end) {
        return other(dot);
      }
      if (WRITERS.contains(method)) {
        int lambda = text.startsWith("|_| ", stop + 1) ? stop + 5 : stop + 1;
        return written(lambda);
      }
      int close = Letters.indexOf(text, ')', stop, stop + MOST_BETWEEN);
      at = close < 0 ? stop : close + 1;
    }
    return other(dot);
  }

  /// What is in quotes, without the keys at its end: `x{enter}`.
  private Secret written(int at) {
    if (at >= text.length() || !Letters.isQuote(text.charAt(at))) {
      return Secret.NONE;
    }
    int close = close(at, false);
    int keys = close < 0 ? -1 : Letters.indexOf(text, '{', at + 1, close);
    return close < 0 ? Secret.NONE : told(at + 1, keys > 0 ? keys : close);
  }

  /// The text after tags: `<td>name</td><td>x</td>`, `name: <b>x</b>`.
  ///
  /// @param tag index of the first `<`
  private Secret marked(int tag) {
    int from = ToldSecret.afterTags(text, tag);
    int stop = from;
    while (stop < text.length()
        && stop - from < LONGEST_LOOK
        && text.charAt(stop) > ' '
        && text.charAt(stop) != '<') {
      stop++;
    }
    boolean ends =
        stop == text.length() || "<\r\n".indexOf(text.charAt(stop)) >= 0 || stop - from >= 8;
    return from > tag && ends && stop > from ? told(from, stop) : Secret.NONE;
  }

  /// A part of a form, below its header.
  private Secret part(int from) {
    int at = Letters.skip(text, from, "\r\n", 4);
    int stop = valueEnd(at, Math.min(text.length(), at + LONGEST_LOOK), true);
    boolean line = stop == text.length() || "\r\n".indexOf(text.charAt(stop)) >= 0;
    boolean secret =
        line && stop > at && SecretValues.isSecret(text.substring(at, stop), name.value());
    return secret && at > from ? new Secret(at, stop, name.kind()) : Secret.NONE;
  }

  /// `name("value")`, `name() = "value"`.
  private Secret called(int at) {
    return Letters.at(text, at + 1) == ')'
        ? NestedValue.find(text, name, at + 2)
        : argument(at + 1);
  }

  /// The index of what comes after the marks around a name, and after an index or a remark:
  /// `password['x']`, `Password (again)`.
  private int afterMarks(int from) {
    int at = Letters.skip(text, from, NAME_MARKS, MOST_BETWEEN);
    char open = Letters.at(text, at);
    boolean index = open == '[' && !text.startsWith(SecretMask.MASKED, at);
    boolean remark = open == '(' && at > from && Letters.isLetter(Letters.at(text, at + 1));
    if (!index && !remark) {
      return at;
    }
    int close = Letters.indexOf(text, open == '[' ? ']' : ')', at + 1, at + MOST_BETWEEN);
    // A mask is shorter than what it stands for, so what has one may have been too long before.
    boolean plain = close >= 0 && Letters.indexOf(text, '[', at + 1, close) < 0;
    int after = plain ? Letters.skip(text, close, NAME_MARKS, MOST_BETWEEN) : at;
    return ":=".indexOf(Letters.at(text, after)) >= 0 ? after : at;
  }

  /// The sign in `"name": "password", "value": "x"` and `--name password --value x`, also after
  /// other fields; -1 if the name is none of these.
  private int paired() {
    if (Letters.at(text, end) == ' '
        && !text.startsWith(" -", end)
        && !text.startsWith(" value", end)) {
      return -1;
    }
    int at = Letters.skip(text, end, PAIR_MARKS, LONGEST_NAME);
    if (at == end) {
      return -1;
    }
    int sign = pairedAt(at, end);
    boolean field = sign < 0 && (isQuoted() || isNameOfField());
    for (int fields = 0; field && fields < MOST_FIELDS && sign < 0; fields++) {
      int next = afterField(at);
      if (next < 0) {
        return -1;
      }
      at = Letters.skip(text, next, PAIR_MARKS, LONGEST_NAME);
      sign = pairedAt(at, next);
    }
    return sign;
  }

  /// The sign after `value` or `default`; -1 if none of them is at an index.
  private int pairedAt(int at, int from) {
    boolean fallback = text.startsWith(DEFAULT, at) && at > from;
    int word = fallback ? at + DEFAULT.length() : at;
    word += text.regionMatches(true, at, PARAMETER, 0, PARAMETER.length()) ? PARAMETER.length() : 0;
    boolean value = text.regionMatches(true, word, VALUE, 0, VALUE.length());
    int after = value ? word + VALUE.length() : word;
    if (!value && !fallback) {
      return -1;
    }
    int sign = Letters.skip(text, after, " \t\"'`\\", 4);
    if (":=".indexOf(Letters.at(text, sign)) >= 0) {
      return sign;
    }
    return Letters.at(text, at - 1) == '-' && sign > after ? after : -1;
  }

  /// Whether the name is the value of a field like `name`, `key` or `ParameterKey`.
  private boolean isNameOfField() {
    int at = start - 1;
    int least = at - MOST_BETWEEN;
    while (at > least && at > 0 && " \"'`\\@".indexOf(text.charAt(at)) >= 0) {
      at--;
    }
    if (":=".indexOf(Letters.at(text, at)) < 0) {
      return false;
    }
    at--;
    while (at > least && at > 0 && " \"'`\\".indexOf(text.charAt(at)) >= 0) {
      at--;
    }
    return text.regionMatches(true, at - 2, "key", 0, 3)
        || text.regionMatches(true, at - 3, "name", 0, 4);
  }

  /// The index after a field such as `"type": "x"`, `type=x` or `type: x`; -1 if none is there.
  private int afterField(int from) {
    int at = from;
    int limit = Math.min(text.length(), from + LONGEST_FIELD);
    while (at < limit && Letters.isJoined(text.charAt(at))) {
      at++;
    }
    int sign = Letters.skip(text, at, " \"'`\\", 4);
    if (at == from || ":=".indexOf(Letters.at(text, sign)) < 0) {
      return -1;
    }
    at = Letters.skip(text, sign + 1, " \"'`\\", 4);
    while (at < limit && (Letters.isJoined(text.charAt(at)) || text.charAt(at) == '.')) {
      at++;
    }
    at = Letters.skip(text, at, " \"'`\\", 4);
    return at < limit && ",\n".indexOf(text.charAt(at)) >= 0 ? at : -1;
  }

  /// The value of `{"value": "x", "key": "password"}` and `value="x" name="password"`, which stands
  /// before the name.
  static Secret beforeName(String text, SecretName name, int start, int end) {
    var named = new NamedSecret(text, name, start, end);
    return named.isNameOfField() ? named.valueBefore() : Secret.NONE;
  }

  private Secret valueBefore() {
    int least = Math.max(0, start - LONGEST_BEFORE);
    int at = start - 1;
    while (at > least && "{}<>".indexOf(text.charAt(at)) < 0) {
      if ("eE".indexOf(text.charAt(at)) >= 0
          && text.regionMatches(true, at - VALUE.length() + 1, VALUE, 0, VALUE.length())) {
        int sign = Letters.skip(text, at + 1, " \t\"'\\", 4);
        int open = Letters.skip(text, sign + 1, " \t\\", 4);
        boolean quoted =
            ":=".indexOf(Letters.at(text, sign)) >= 0 && "\"'".indexOf(Letters.at(text, open)) >= 0;
        int close = quoted ? close(open, text.charAt(open - 1) == '\\') : -1;
        return close > open && close < start ? told(open + 1, close) : Secret.NONE;
      }
      at--;
    }
    return Secret.NONE;
  }

  private boolean isQuoted() {
    return Letters.isQuote(Letters.at(text, start - 1)) || Letters.isQuote(Letters.at(text, end));
  }

  private Secret equal(int at, char after) {
    if (after == '=' || after == '~') {
      return Secret.NONE;
    }
    if (after == '&') {
      Secret escaped = NestedValue.escaped(text, name, at);
      if (escaped.found()) {
        return escaped;
      }
    }
    return value(at, after == '>' ? at + 2 : at + 1);
  }

  /// `name:: value`, which is encoded, in a file of a directory service.
  private Secret encoded(int at) {
    boolean line = at == end && Letters.at(text, at + 2) == ' ' && startsLine();
    return line ? value(at + 1, at + 2) : Secret.NONE;
  }

  private Secret colon(int at) {
    if (name.value() == Value.HEADER) {
      return HeaderSecret.find(text, at + 1);
    }
    if (name.value() == Value.TOLD && text.startsWith("PASS", start)) {
      // The outcome of a test.
      return Secret.NONE;
    }
    boolean field =
        Letters.at(text, start - 1) == ':' && Letters.isPlain(Letters.at(text, start - 2));
    boolean spaced = Letters.at(text, at - 1) == ' ';
    boolean variable = spaced && Letters.isQuote(Letters.at(text, at + 1)) && !isQuoted();
    boolean attribute = spaced && isQuoted() && Letters.isLetter(Letters.at(text, at + 1));
    if (field || variable || attribute) {
      // `arn:x:secret:name`, `PASSWORD :'variable'`, `model="form.password" :rules="x"`.
      return Secret.NONE;
    }
    Secret found = value(at, at + 1);
    return found.found() ? found : typed(at + 1);
  }

  /// `NAME: &str = "value"`.
  private Secret typed(int from) {
    int at = from;
    int limit = Math.min(text.length(), from + LONGEST_TYPE);
    while (at < limit
        && (Letters.isWord(text.charAt(at)) || " &<>[]?|.'".indexOf(text.charAt(at)) >= 0)) {
      at++;
    }
    boolean assigned =
        at < limit && at > from + 2 && text.charAt(at) == '=' && text.charAt(at - 1) == ' ';
    int value = assigned ? Letters.skip(text, at + 1, " ", 2) : at;
    if (!assigned) {
      return Secret.NONE;
    }
    return Letters.isQuote(Letters.at(text, value))
        ? value(at, at + 1)
        : NestedValue.find(text, name, value);
  }

  /// The value after a sign.
  ///
  /// @param sign index of the sign
  /// @param after index after it
  private Secret value(int sign, int after) {
    if (name.value() == Value.HEADER) {
      return HeaderSecret.find(text, after);
    }
    int from = Letters.skip(text, after, " \t", MOST_BETWEEN);
    int block = Letters.skip(text, from, "|>-+", 3);
    from = block > from && Letters.at(text, block) == '\n' ? block : from;
    from = Letters.skip(text, from, "*", 2);
    from = from > after ? Letters.skip(text, from, " ", 1) : from;
    from = prefix(from);
    if (text.startsWith("!!", from)) {
      from = Letters.skip(text, Math.max(from, text.indexOf(' ', from)), " ", 1);
    }
    if (Letters.at(text, from) == '<' && ToldSecret.afterTags(text, from) > from) {
      return marked(from);
    }
    if (text.startsWith("(\n", from)) {
      return quotedBelow(from + 1);
    }
    if (isContinued(from)) {
      return below(from + 1);
    }
    int quote = Letters.skip(text, from, "\\", 8);
    if (Letters.isQuote(Letters.at(text, quote)) && quote < text.length()) {
      quote = isTripled(quote) ? quote + 2 : quote;
      int close = close(quote, quote > from && text.charAt(quote - 1) == '\\');
      if (close >= 0) {
        Secret quoted = quoted(quote + 1, close, sign == end && after == sign + 1);
        boolean other = !quoted.found() && name.strong() && text.startsWith("${", quote + 1);
        return other ? NestedValue.find(text, name, quote + 1) : quoted;
      }
      from = quote + 1;
    } else if (from < text.length() && (text.charAt(from) == '\n' || text.charAt(from) == '\r')) {
      return text.charAt(sign) == ':' ? below(from) : quotedBelow(from);
    }
    if (text.startsWith("--", from) || Letters.at(text, from) == '*') {
      return Secret.NONE;
    }
    if (ToldSecret.isOpening(Letters.at(text, from)) && from < text.length()) {
      return ToldSecret.value(text, name, from);
    }
    if (name.value() == Value.PHRASE && Letters.at(text, from) == '[') {
      return seedList(from);
    }
    Secret bare = bare(from, sign, after);
    if (!bare.found() && name.strong() && Letters.at(text, start - 1) == '/') {
      // `user/password: x / y`.
      Secret pair = ToldSecret.pair(text, name, after - 1);
      if (pair.found()) {
        return pair;
      }
    }
    return bare.found() ? bare : NestedValue.find(text, name, from);
  }

  /// Whether a line goes on in the next one.
  private boolean isContinued(int from) {
    char after = Letters.at(text, from + 1);
    return Letters.at(text, from) == '\\' && (after == '\n' || after == '\r');
  }

  private boolean isTripled(int quote) {
    char mark = text.charAt(quote);
    return Letters.at(text, quote + 1) == mark
        && Letters.at(text, quote + 2) == mark
        && quote + 3 < text.length();
  }

  /// A value in quotes on the line below its name.
  private Secret quotedBelow(int from) {
    int at = prefix(Letters.skip(text, from, " \t\r\n(", MOST_BETWEEN));
    if (text.startsWith("string(", at)) {
      // A dump tells the length: `string(12) "x"`.
      at = Letters.skip(text, at + "string(".length(), "0123456789) ", MOST_BETWEEN);
    }
    if (at >= text.length() || !Letters.isQuote(text.charAt(at))) {
      return Secret.NONE;
    }
    int close = close(at, false);
    return close >= 0 ? told(at + 1, close) : Secret.NONE;
  }

  /// Whether the line speaks of a cookie before the name.
  private boolean isCookie() {
    for (int at = start - 1; at > start - COOKIE_LINE && at >= 1 && text.charAt(at) != '\n'; at--) {
      if (text.regionMatches(true, at - 6, "cookie", 0, 6) || text.startsWith(" -b ", at - 4)) {
        return true;
      }
    }
    return false;
  }

  /// Without the letter of a literal: `N'value'`, `b"value"`, `@"value"`.
  private int prefix(int from) {
    boolean prefixed =
        "NbruL@".indexOf(Letters.at(text, from)) >= 0
            && "\"'".indexOf(Letters.at(text, from + 1)) >= 0;
    return prefixed ? from + 1 : from;
  }

  /// The closing quote on the same line, -1 when there is none.
  private int close(int open, boolean escaped) {
    char quote = text.charAt(open);
    int limit = Math.min(text.length(), open + LONGEST_QUOTED);
    for (int at = open + 1; at < limit && text.charAt(at) != '\n'; at++) {
      char c = text.charAt(at);
      if (c == '\\' && escaped) {
        int last = Letters.skip(text, at, "\\", 16);
        if (Letters.at(text, last) == quote) {
          return at;
        }
        at = last;
      } else if (c == quote && escaped) {
        return -1;
      } else if (c == '\\') {
        at++;
      } else if (c == quote) {
        return at;
      }
    }
    return -1;
  }

  private Secret quoted(int from, int close, boolean tight) {
    String value = text.substring(from, close);
    boolean secret = SecretValues.isSecret(value, name.value());
    boolean phrase = tight && name.value() == Value.ANY && SecretValues.isPassphrase(value);
    return secret || phrase ? new Secret(from, close, name.kind()) : Secret.NONE;
  }

  private Secret bare(int from, int sign, int after) {
    boolean tight = text.charAt(sign) == '=' && end == sign && from == after;
    boolean fields = tight && Letters.at(text, start - 1) == ';';
    boolean line = fields || (tight && startsLine());
    int limit = Math.min(text.length(), from + LONGEST_LOOK);
    int semicolon = fields ? Letters.indexOf(text, ';', from, limit) : -1;
    int stop = valueEnd(from, semicolon < 0 ? limit : semicolon, line);
    boolean longer = stop - from == LONGEST_LOOK;
    if (longer && name.value() == Value.NEAR) {
      // What is found may not be masked, so no more of it is read.
      return Secret.NONE;
    }
    boolean last =
        stop == text.length()
            || text.charAt(stop) == '\n'
            || text.charAt(stop) == '\r'
            || (text.charAt(stop) == '\\' && "nr".indexOf(Letters.at(text, stop + 1)) >= 0);
    while (stop > from && ".:!?".indexOf(text.charAt(stop - 1)) >= 0 && !tight) {
      stop--;
    }
    char next = Letters.at(text, stop);
    boolean connection = tight && next == ';' && Letters.at(text, start - 1) == ';';
    boolean wordAllowed =
        tight
            ? connection || ",);".indexOf(next) < 0
            : last && (text.charAt(sign) == ':' || isInSection());
    String value = text.substring(from, stop);
    if (SecretValues.isSecretBare(value, name.value(), tight, wordAllowed)) {
      int end = longer ? valueEnd(stop, text.length(), line) : Letters.skip(text, stop, "!", 2);
      return new Secret(from, end, name.kind());
    }
    if (name.value() == Value.PHRASE) {
      return phrase(from);
    }
    if (!tight && name.word().endsWith("s") && next == ' ' && SecretValues.isLetters(value)) {
      // `keys: dev x, prod y`.
      return ToldSecret.value(text, name, stop + 1);
    }
    return tight ? Secret.NONE : ToldSecret.groups(text, name, from);
  }

  /// Whether the line is one of `name = value` below the head of a section, `[name]`.
  private boolean isInSection() {
    int at = start;
    int least = Math.max(0, start - LONGEST_SECTION);
    while (at > least && text.charAt(at - 1) == ' ') {
      at--;
    }
    if (at == least || text.charAt(at - 1) != '\n') {
      return false;
    }
    String[] lines = text.substring(least, at - 1).split("\n", -1);
    for (int i = lines.length - 1; i >= 0; i--) {
      String line = lines[i].strip();
      if (line.startsWith("[") && line.endsWith("]")) {
        return true;
      }
      int sign = line.indexOf('=');
      boolean field = sign > 0 && line.substring(0, sign).chars().allMatch(NamedSecret::isOfField);
      if (!field && !line.isEmpty() && "#;".indexOf(line.charAt(0)) < 0) {
        return false;
      }
    }
    return false;
  }

  private static boolean isOfField(int c) {
    return Letters.isJoined((char) c) || c == '.' || c == ' ';
  }

  /// Words up to the end of the line.
  private Secret phrase(int from) {
    Secret listed = seedList(from);
    if (listed.found()) {
      return listed;
    }
    int limit = Math.min(text.length(), from + LONGEST_LOOK);
    int stop = from;
    while (stop < limit && "\r\n\\\"".indexOf(text.charAt(stop)) < 0) {
      stop++;
    }
    String words = text.substring(from, stop).strip();
    boolean few =
        SecretValues.isPassphrase(words)
            && words.indexOf(' ', words.indexOf(' ') + 1) < words.lastIndexOf(' ')
            && words.equals(words.toLowerCase(Locale.ROOT));
    boolean secret = SecretValues.isSeed(words) || few;
    return secret ? new Secret(from, stop, name.kind()) : Secret.NONE;
  }

  /// The words of a wallet in a list, which may have numbers: `1. x 2. y`, `["x", "y"]`.
  private Secret seedList(int from) {
    int start = -1;
    int end = from;
    int words = 0;
    int at = Letters.skip(text, from, SEED_MARKS, MOST_BETWEEN);
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
      at = Letters.skip(text, stop, SEED_MARKS, MOST_BETWEEN);
    }
    boolean divided = words >= LEAST_SEED && end - start > 1 && isListed(start, end);
    return divided ? new Secret(start, end, name.kind()) : Secret.NONE;
  }

  /// Whether numbers, quotes or lines divide words.
  private boolean isListed(int start, int end) {
    String words = text.substring(start, end);
    return words.chars().anyMatch(c -> Letters.isDigit((char) c) || "\n\"'".indexOf(c) >= 0);
  }

  /// A value that has a line of its own below its name.
  private Secret below(int from) {
    if (name.value() == Value.PHRASE) {
      Secret listed = seedList(from);
      if (listed.found()) {
        return listed;
      }
    }
    int at = Letters.skip(text, from, " \t\r\n", MOST_BETWEEN);
    if (at < text.length() && Letters.isQuote(text.charAt(at))) {
      return quotedBelow(at);
    }
    int stop = valueEnd(at, Math.min(text.length(), at + LONGEST_LOOK), true);
    boolean alone = stop == text.length() || "\r\n".indexOf(text.charAt(stop)) >= 0;
    boolean secret =
        alone
            && stop > at
            && stop - at < LONGEST_LOOK
            && (SecretValues.isRandom(text.substring(at, stop), 16)
                || (name.strong() && SecretValues.isTold(text.substring(at, stop), name.value())))
            && !text.substring(at, stop).contains(":");
    return secret ? new Secret(at, stop, name.kind()) : parameter(from);
  }

  /// The default of a parameter that is described in the lines below its name.
  private Secret parameter(int from) {
    int limit = Math.min(text.length(), from + LONGEST_TYPE);
    int at = from;
    while (at < limit && !text.startsWith(" Default: ", at) && !text.startsWith("\n\n", at)) {
      at++;
    }
    if (at >= limit || !text.startsWith(" Default: ", at)) {
      return Secret.NONE;
    }
    int value = Letters.skip(text, at + " Default: ".length(), "\"'", 1);
    int stop = valueEnd(value, Math.min(text.length(), value + LONGEST_LOOK), true);
    return stop > value ? told(value, stop) : Secret.NONE;
  }

  private int valueEnd(int from, int limit, boolean line) {
    int at = from;
    while (at < limit
        && (!endsValue(text.charAt(at), line)
            || (text.charAt(at) == '&' && at > from && Letters.isAmong(text, at)))) {
      at++;
    }
    return at;
  }

  /// A value in a file with one variable per line may contain characters that end it elsewhere.
  private static boolean endsValue(char c, boolean line) {
    return c <= ' '
        || "\"'`\\".indexOf(c) >= 0
        || c >= 0x2e80
        || (!line && ",;)}]<>|&".indexOf(c) >= 0);
  }

  /// Whether the name is the first word of its line, or follows `export` or the mark of a change.
  private boolean startsLine() {
    int at = Math.max(start, end - LONGEST_NAME);
    char before = at == 0 ? '\n' : text.charAt(at - 1);
    if (before == '+' || before == '-') {
      before = at == 1 ? '\n' : text.charAt(at - 2);
    }
    return before == '\n'
        || (at >= 7 && text.startsWith("export ", at - 7))
        || (at >= 4 && text.startsWith("ENV ", at - 4));
  }

  /// `name("value")` and `"name", "value"`: the value has to be in quotes and to look like one.
  private Secret argument(int after) {
    if (name.value() == Value.HEADER) {
      return HeaderSecret.find(text, after);
    }
    int from = prefix(keyword(Letters.skip(text, after, " \t\r\n", MOST_BETWEEN)));
    int quote = Letters.skip(text, from, "\\", 8);
    if (Letters.isQuote(Letters.at(text, quote))
        && Letters.at(text, quote + 1) == '\\'
        && Letters.isQuote(Letters.at(text, quote + 2))) {
      // `"\\"x\\""`.
      from = quote + 1;
      quote = quote + 2;
    }
    if (quote >= text.length() || !Letters.isQuote(text.charAt(quote))) {
      return Secret.NONE;
    }
    int close = close(quote, quote > from);
    if (close < 0) {
      return Secret.NONE;
    }
    String value = text.substring(quote + 1, close);
    boolean certain =
        name.value() == Value.ANY
            && (isConstant(text, start, end) || isSetter(after))
            && !isConstant(text, quote + 1, close)
            && SecretValues.isSecret(value, Value.ANY)
            && !SecretValues.namesSecret(value);
    return certain ? new Secret(quote + 1, close, name.kind()) : told(quote + 1, close);
  }

  /// Whether the name is one of a constant or a variable: `'DB_PASSWORD', 'x'`.
  private static boolean isConstant(String text, int from, int stop) {
    boolean joined = false;
    for (int at = from; at < stop; at++) {
      joined |= text.charAt(at) == '_';
      if (Letters.isLower(text.charAt(at))) {
        return false;
      }
    }
    return joined;
  }

  /// Whether the name is one of a method that sets a value: `.setPassword("x")`.
  private boolean isSetter(int after) {
    int close = Letters.skip(text, after, "\"'", 1);
    boolean method = Letters.at(text, end) == '(' && close == after + 1;
    return method && (text.startsWith("set", start) || text.startsWith("with", start));
  }

  /// The index after `with:` and `:with =>`.
  private int keyword(int from) {
    for (String keyword : KEYWORDS) {
      if (text.startsWith(keyword, from)) {
        return from + keyword.length();
      }
    }
    return from;
  }

  private Secret told(int from, int stop) {
    boolean secret =
        stop - from < LONGEST_LOOK * 4
            && SecretValues.isTold(text.substring(from, stop), name.value());
    return secret ? new Secret(from, stop, name.kind()) : Secret.NONE;
  }

  /// `<name>value</name>`, `<name attribute="x">value</name>`, `name="name">value<`.
  private Secret element(int at) {
    int from = at + 1;
    if (text.startsWith("</key>", end)) {
      from = end + 6;
    } else if (at != end && !isQuoted()) {
      return Secret.NONE;
    }
    from = Letters.skip(text, from, " \t\r\n", MOST_BETWEEN);
    if (Letters.at(text, from) == '<' && Letters.isLetter(Letters.at(text, from + 1))) {
      from = close(from, '>') + 1;
    }
    if (text.startsWith(CDATA, from)) {
      from += CDATA.length();
      int end = close(from, ']');
      boolean secret =
          end > from && SecretValues.isSecret(text.substring(from, end).strip(), name.value());
      return secret ? new Secret(from, end, name.kind()) : Secret.NONE;
    }
    int stop = close(from, '<');
    if (stop <= from) {
      return Secret.NONE;
    }
    String value = text.substring(from, stop).strip();
    boolean secret =
        text.startsWith("</", stop)
            && !value.isEmpty()
            && SecretValues.isSecret(value, name.value());
    return secret ? new Secret(from, stop, name.kind()) : Secret.NONE;
  }

  /// The index of a mark on the same line; -1 when it does not follow.
  private int close(int from, char mark) {
    int limit = Math.min(text.length(), from + LONGEST_LOOK * 4);
    for (int at = Math.max(0, from); at < limit && text.charAt(at) != '\n'; at++) {
      if (text.charAt(at) == mark) {
        return at;
      }
    }
    return -1;
  }

  /// The value in the next cell of a table.
  private Secret cell(int after) {
    int from = Letters.skip(text, after, " `*", MOST_BETWEEN);
    int line = Letters.indexOf(text, '\n', from, from + LONGEST_LOOK);
    int stop = Letters.indexOf(text, '|', from, line < 0 ? from + LONGEST_LOOK : line);
    if (stop < 0 && startsLine()) {
      // `name | value`.
      stop = line < 0 ? Math.min(text.length(), from + LONGEST_LOOK) : line;
    }
    while (stop > from && " `*".indexOf(text.charAt(stop - 1)) >= 0) {
      stop--;
    }
    return stop > from ? told(from, stop) : Secret.NONE;
  }

  /// A value that only spaces divide from the name.
  private Secret spaced(int at) {
    if (isElement()) {
      return attributes(at);
    }
    if (name.value() == Value.HEADER) {
      return Letters.isQuote(Letters.at(text, at - 1)) && at > end
          ? HeaderSecret.find(text, at)
          : Secret.NONE;
    }
    if (isQuoted()) {
      return text.startsWith("with ", at) ? word(at + 5, false) : attribute(at);
    }
    if (text.regionMatches(true, at, "by ", 0, 3)) {
      return word(at + 3, false);
    }
    if (!Letters.isSpace(Letters.at(text, end)) || text.startsWith("/etc/", start - 5)) {
      return Secret.NONE;
    }
    int from = Letters.skip(text, end, " \t", MOST_BETWEEN);
    boolean option = Letters.at(text, start - 1) == '-' || name.word().equals("identifiedby");
    from = located(registered(from));
    Secret word = word(from, option);
    if (word.found() || option) {
      return word;
    }
    Secret last = lastWord(from);
    if (last.found()) {
      return last;
    }
    // The number tells how a device has hashed what follows.
    if (Letters.isDigit(Letters.at(text, from)) && Letters.isSpace(Letters.at(text, from + 1))) {
      Secret hashed = word(from + 2, false);
      if (hashed.found()) {
        return hashed;
      }
    }
    return ToldSecret.find(text, name, start, end);
  }

  /// The index after the type of a value of the registry of Windows: `REG_SZ`, `/t REG_SZ /d`.
  private int registered(int from) {
    for (String type : REGISTERED) {
      if (text.startsWith(type, from)) {
        return Letters.skip(text, from + type.length(), " ", MOST_BETWEEN);
      }
    }
    return from;
  }

  /// The index after what tells the place of a field: `id=password`.
  private int located(int from) {
    int sign = Letters.indexOf(text, '=', from, from + LONGEST_LOCATOR);
    int gap = Letters.indexOf(text, ' ', from, from + LONGEST_NAME);
    boolean locator = sign > from && gap > sign && LOCATORS.contains(text.substring(from, sign));
    return locator ? Letters.skip(text, gap, " \t", MOST_BETWEEN) : from;
  }

  /// The last word of a line with small and large letters and digits, as in the settings of a
  /// device: `username x secret VALUE`.
  private Secret lastWord(int from) {
    int stop = valueEnd(from, Math.min(text.length(), from + LONGEST_LOOK), false);
    boolean line = stop == text.length() || "\r\n".indexOf(text.charAt(stop)) >= 0;
    if (!line || name.value() != Value.MIXED || stop - from < LEAST_LAST) {
      return Secret.NONE;
    }
    String value = text.substring(from, stop);
    boolean secret =
        value.chars().anyMatch(c -> Letters.isUpper((char) c))
            && value.chars().anyMatch(c -> Letters.isLower((char) c))
            && SecretValues.isTold(value, Value.ANY)
            && Letters.hasDigit(value, 0, value.length());
    return secret ? new Secret(from, stop, name.kind()) : Secret.NONE;
  }

  /// Whether the name begins an element, maybe after a prefix: `<wsse:Password`.
  private boolean isElement() {
    int at = start - 1;
    if (Letters.at(text, at) == ':') {
      int least = at - MOST_BETWEEN;
      at--;
      while (at > least && Letters.isJoined(Letters.at(text, at))) {
        at--;
      }
    }
    return Letters.at(text, at) == '<';
  }

  /// The value of another attribute in the same element.
  private Secret attribute(int from) {
    int limit = Math.min(text.length(), from + LONGEST_TYPE);
    int at = from;
    while (at < limit && "<>\n".indexOf(text.charAt(at)) < 0 && !isValue(at)) {
      at++;
    }
    int quote = at + VALUE.length() + 1;
    if (!isValue(at) || !Letters.isQuote(Letters.at(text, quote))) {
      return Secret.NONE;
    }
    int close = close(quote, false);
    return close >= 0 ? quoted(quote + 1, close, false) : Secret.NONE;
  }

  /// Whether the name is part of a statement of SQL: `ALTER USER a WITH PASSWORD 'x'`.
  private boolean isStatement() {
    boolean upper = text.startsWith("PASSWORD '", end - "PASSWORD".length());
    String before = text.substring(Math.max(0, start - LONGEST_TYPE), start);
    return upper && (before.contains("USER ") || before.contains("ROLE "));
  }

  /// Whether ` value=` or `:value=` ends with the attribute at an index.
  private boolean isValue(int at) {
    return text.startsWith(" value=", at - 1) || text.startsWith(":value=", at - 1);
  }

  /// Whether the name is one of code and no word of a sentence, as in `storePassword "x"`.
  private boolean isIdentifier() {
    for (int at = start + 1; at < end; at++) {
      boolean hump = Letters.isUpper(text.charAt(at)) && Letters.isLower(text.charAt(at - 1));
      if (hump || text.charAt(at) == '_') {
        return true;
      }
    }
    return false;
  }

  /// A quoted value, or a word up to the next space.
  private Secret word(int at, boolean option) {
    int from = prefix(at);
    if (from < text.length() && ToldSecret.isOpening(text.charAt(from))) {
      return ToldSecret.value(text, name, from);
    }
    int quote = Letters.skip(text, from, "\\", 8);
    boolean quotes = quote < text.length() && Letters.isQuote(text.charAt(quote));
    if (quotes) {
      int close = close(quote, quote > from);
      if (close < 0) {
        return Secret.NONE;
      }
      String value = text.substring(quote + 1, close);
      boolean secret =
          (option || isIdentifier() || isStatement())
              ? SecretValues.isSecret(value, name.value())
                  && (isStatement()
                      || SecretValues.isTold(value, name.value())
                      || value.length() >= 8)
              : SecretValues.isTold(value, name.value());
      return secret ? new Secret(quote + 1, close, name.kind()) : Secret.NONE;
    }
    int stop = from;
    int limit = Math.min(text.length(), from + LONGEST_LOOK);
    while (stop < limit
        && text.charAt(stop) > ' '
        && "\"'`\\;|".indexOf(text.charAt(stop)) < 0
        && text.charAt(stop) < 0x2e80) {
      stop++;
    }
    boolean longer = stop - from == LONGEST_LOOK;
    while (stop > from && ".,:)]}!?".indexOf(text.charAt(stop - 1)) >= 0 && !longer && !option) {
      stop--;
    }
    if (!option && stop - from > 2 && text.startsWith("**", stop - 2)) {
      // The end of bold text.
      stop -= 2;
    }
    boolean hashtag =
        !option
            && Letters.at(text, from) == '#'
            && stop > from
            && SecretValues.isLetters(text.substring(from + 1, stop));
    if (stop == from || hashtag || text.charAt(from) == '-') {
      return Secret.NONE;
    }
    String value = text.substring(from, stop);
    boolean told =
        SecretValues.isTold(value, name.value())
            || (isCertain(from, stop) && SecretValues.isSecretBare(value, Value.ANY, false, true))
            || (option
                && name.value() == Value.MIXED
                && SecretValues.isSecret(value, Value.MIXED)
                && SecretValues.isTold(value, Value.ANY))
            || (option && SecretValues.isUuid(value));
    if (!told) {
      return option ? ToldSecret.groups(text, name, from) : Secret.NONE;
    }
    int end = longer ? valueEnd(stop, text.length(), true) : Letters.skip(text, stop, "!", 2);
    return new Secret(from, end, name.kind());
  }

  /// Whether a word after the name can only be its value: in a line of `.netrc`, and between
  /// options of a command.
  private boolean isCertain(int from, int stop) {
    if (name.value() != Value.ANY) {
      return false;
    }
    int line = Math.max(0, start - LONGEST_COMMAND);
    String before = text.substring(line, start);
    if (before.contains("machine ") && before.contains("login ")) {
      return true;
    }
    if (!before.endsWith("--")) {
      return false;
    }
    String[] words = before.substring(before.lastIndexOf('\n') + 1).strip().split(" +", -1);
    int last = words.length - 2;
    boolean after =
        last >= 1
            && words[last - 1].startsWith("-")
            && !words[last].startsWith("-")
            && !SecretValues.isCommon(words[last]);
    int next = Letters.skip(text, stop, " ", 2);
    boolean option = Letters.at(text, next) == '-' && Letters.isJoined(Letters.at(text, next + 1));
    return (after || (option && last >= 0)) && !SecretValues.isCommon(text.substring(from, stop));
  }

  /// `<name attribute="x">value</name>`.
  private Secret attributes(int at) {
    int limit = Math.min(text.length(), at + LONGEST_TYPE);
    int open = at;
    while (open < limit && "<>\n".indexOf(text.charAt(open)) < 0) {
      open++;
    }
    boolean element = open < limit && text.charAt(open) == '>' && text.charAt(open - 1) != '/';
    int stop = element ? close(open + 1, '<') : -1;
    boolean secret =
        stop > open + 1
            && text.startsWith("</", stop)
            && SecretValues.isSecret(text.substring(open + 1, stop), name.value());
    return secret ? new Secret(open + 1, stop, name.kind()) : Secret.NONE;
  }
}
