package dev.agentmemory.text.secret;

import dev.agentmemory.text.secret.SecretName.Value;
import dev.agentmemory.text.secret.format.Letters;
import dev.agentmemory.text.secret.format.Secret;
import dev.agentmemory.text.secret.format.ValueStart;
import java.util.List;
import java.util.Locale;

/// Finds the value after a name that shows that it is a secret: `name = value`, `name: value`,
/// `"name": "value"`, `name => value`, `name("value")`, `"name", "value"`, `<name>value</name>`,
/// `--name value`, `name value`. An expression that reads the value, such as `os.environ["X"]`, is
/// not a secret.
final class NamedSecret {

  /// Most spaces and quotes on either side of the sign.
  private static final int MOST_BETWEEN = 24;

  private static final String NAME_MARKS = " \t\"'`\\*])";
  private static final String VALUE = "value";
  private static final String FORM = "form-data; name=\"";

  /// Characters of an unquoted value that are examined. More is read only of a value that is then
  /// masked, so that no part of a long run without a space is read repeatedly.
  private static final int LONGEST_LOOK = 256;

  /// Characters of a type, or of the attributes of an element.
  private static final int LONGEST_TYPE = 80;

  /// Characters of the value of an option that can begin with a dash.
  private static final int LEAST_DASHED = 24;

  private static final int LEAST_LAST = 10;

  /// Characters of `checksum/`.
  private static final int CHECKSUM = 9;

  /// The same, after the number by which a device tells how it stores what follows.
  private static final int LEAST_NUMBERED = 8;

  /// What follows a name in quotes in a sentence that tells its value.
  private static final List<String> TELLING = List.of("with ", "to ", "is ");

  private final String text;
  private final SecretName name;

  /// Where the name begins and ends.
  private final int start;

  private final int end;

  private final NamePlace place;

  private NamedSecret(String text, SecretName name, int start, int end) {
    this.text = text;
    this.name = name;
    this.place = new NamePlace(text, start, end);
    this.start = start;
    this.end = end;
  }

  /// @param start where the name begins
  /// @param end index after the name
  static Secret find(String text, SecretName name, int start, int end) {
    return new NamedSecret(text, name, start, end).find();
  }

  private Secret find() {
    int paired = FieldSecret.paired(text, start, end);
    if (paired >= 0) {
      return value(paired, paired + 1);
    }
    if (text.startsWith("checksum/", start - CHECKSUM)) {
      // The annotation of a deployment has a digest of what it names.
      return Secret.NONE;
    }
    if (text.startsWith("'s ", end) || text.startsWith("\u2019s ", end)) {
      return ToldSecret.value(text, name, end + 3);
    }
    if (name.value() == Value.COOKIE && Letters.at(text, end) != '\t' && !place.isCookie()) {
      return Secret.NONE;
    }
    int at = afterMarks(end);
    char sign = Letters.at(text, at);
    char after = Letters.at(text, at + 1);
    return switch (sign) {
      case '=' -> equal(at, after);
      case ':' -> after == '=' ? value(at, at + 2) : after == ':' ? encoded(at) : colon(at);
      case '\uff1a', '\u2192' -> value(at, at + 1);
      case '?' ->
          after == '='
              ? value(at, at + 2)
              : text.startsWith("??=", at) ? value(at + 2, at + 3) : Secret.NONE;
      case '.' -> dot(at);
      case '/' -> text.startsWith("/i), ", at) ? argument(at + 4) : other(at);
      case ',' ->
          isAssignedWithError(at)
              ? value(at, text.indexOf('=', at) + 1)
              : place.isQuoted()
                      || place.isSelected(at)
                      || Letters.at(text, start - 1) == '{'
                      || (at == end && NamePlace.isConstant(text, start, end))
                  ? argument(at + 1)
                  : apposed(at);
      case '(' -> at == end ? called(at) : spaced(at);
      case '{' -> place.isQuoted() || at > end ? NestedValue.inBlock(text, name, at) : Secret.NONE;
      case '&' -> NestedValue.escaped(text, name, end);
      case '>' ->
          at == end || place.isQuoted() || text.startsWith("</key>", end)
              ? NestedValue.element(text, name, end, at)
              : Secret.NONE;
      case '|' ->
          text.startsWith("||=", at)
              ? value(at + 2, at + 3)
              : after == '|' ? argument(at + 2) : cell(at + 1);
      case '<' ->
          text.startsWith("</key>", at)
              ? NestedValue.element(text, name, end, at)
              : after == '-'
                  ? value(at, at + 2)
                  : after == '/' ? NestedValue.marked(text, name, at) : Secret.NONE;
      case '\n', '\r' -> at == end ? lineBelow(at) : other(at);
      case '%' ->
          text.startsWith("%3D", at) || text.startsWith("%3A", at)
              ? value(at, at + 3)
              : NestedValue.escaped(text, name, end);
      default -> other(at);
    };
  }

  private Secret dot(int at) {
    Secret secret =
        text.startsWith(" . \"", end)
            ? NestedValue.written(text, name, at + 2)
            : NestedValue.chained(text, name, end, at);
    return secret.found() ? secret : other(at);
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

  private Secret apposed(int at) {
    Secret told = at == end ? ApposedSecret.inCommas(text, name, at) : Secret.NONE;
    return told.found() ? told : ToldSecret.find(text, name, start, at + 1);
  }

  /// `name, err := f("x")`.
  private boolean isAssignedWithError(int at) {
    return text.startsWith(", _ := ", at) || text.startsWith(", err := ", at);
  }

  /// The value on the next line: of a label, or of an option in a list, `- --name` and `- value`.
  private Secret lineBelow(int at) {
    int line = Letters.skip(text, at, " \r\n", MOST_BETWEEN);
    boolean listed =
        text.startsWith("- ", line)
            && (text.startsWith("- --", start - 4) || text.startsWith("- \"--", start - 5));
    return listed ? word(line + 2, true) : ToldSecret.lineBelow(text, name, start, at);
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
    boolean line = at == end && Letters.at(text, at + 2) == ' ' && place.startsLine();
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
    boolean variable = spaced && Letters.isQuote(Letters.at(text, at + 1)) && !place.isQuoted();
    boolean attribute = spaced && place.isQuoted() && Letters.isLetter(Letters.at(text, at + 1));
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
    from = afterStars(from, sign);
    from = from > after ? Letters.skip(text, from, " ", 1) : from;
    from = ValueStart.prefix(text, from);
    if (text.startsWith("!!", from)) {
      from = Letters.skip(text, Math.max(from, text.indexOf(' ', from)), " ", 1);
    }
    if (Letters.at(text, from) == '<' && ToldSecret.afterTags(text, from) > from) {
      return NestedValue.marked(text, name, from);
    }
    if (text.startsWith("(\n", from)) {
      return quotedBelow(from + 1);
    }
    if (Letters.isContinued(text, from)) {
      return below(from + 1);
    }
    int quote = Letters.skip(text, from, "\\", 8);
    if (Letters.isQuote(Letters.at(text, quote)) && quote < text.length()) {
      quote = Letters.isTripled(text, quote) ? quote + 2 : quote;
      int close = Letters.close(text, quote, quote > from && text.charAt(quote - 1) == '\\');
      if (close >= 0) {
        Secret quoted = quoted(quote + 1, close, isAssigned(sign, after));
        boolean other = !quoted.found() && name.strong() && text.startsWith("${", quote + 1);
        return other ? NestedValue.find(text, name, quote + 1) : quoted;
      }
      from = quote + 1;
    } else if (from < text.length() && (text.charAt(from) == '\n' || text.charAt(from) == '\r')) {
      return text.charAt(sign) == ':' ? below(from) : quotedBelow(from);
    }
    if (text.startsWith("--", from) || isAlias(from)) {
      return Secret.NONE;
    }
    if (ToldSecret.isOpening(Letters.at(text, from)) && from < text.length()) {
      return ToldSecret.value(text, name, from);
    }
    if (name.value() == Value.PHRASE && Letters.at(text, from) == '[') {
      return ListedSecret.seedList(text, name, from);
    }
    Secret bare = bare(from, sign, after);
    if (!bare.found() && name.strong() && Letters.at(text, start - 1) == '/') {
      // `user/password: x / y`.
      Secret pair = ToldSecret.pair(text, name, after - 1);
      return pair.found() ? pair : ApposedSecret.afterUser(text, name, from);
    }
    return bare.found() ? bare : NestedValue.find(text, name, from);
  }

  /// Whether only spaces stand between the name and `:` or `=`, or `:=`: not after a name in
  /// quotes.
  private boolean isAssigned(int sign, int after) {
    int spaces = Letters.skip(text, end, " ", MOST_BETWEEN);
    boolean single = after == sign + 1;
    boolean equals = text.charAt(sign) == '=' || !single;
    return equals
        ? sign == spaces && (single || text.charAt(after - 1) == '=')
        : sign == end && single;
  }

  /// The index after the stars of bold or slanted text: `**Name:** value`, `Name: **value**`.
  private int afterStars(int from, int sign) {
    int stars = Letters.skip(text, from, "*", 2);
    if (stars == from || text.charAt(sign) != ':') {
      return from;
    }
    String mark = text.substring(from, stars);
    int close = text.indexOf(mark, stars, Math.min(text.length(), stars + LONGEST_LOOK));
    int line = Letters.indexOf(text, '\n', stars, stars + LONGEST_LOOK);
    boolean closed = close > stars && (line < 0 || close < line);
    return closed || Letters.isSpace(Letters.at(text, stars)) ? stars : from;
  }

  /// Whether a star does not begin a value: `*anchor`, `***`.
  private boolean isAlias(int from) {
    if (Letters.at(text, from) != '*') {
      return false;
    }
    int stop = valueEnd(from + 1, Math.min(text.length(), from + LONGEST_LOOK), true);
    return !SecretValues.isMixedUp(text.substring(Math.min(from + 1, stop), stop));
  }

  /// A value in quotes on the line below its name.
  private Secret quotedBelow(int from) {
    int at = ValueStart.prefix(text, Letters.skip(text, from, " \t\r\n(", MOST_BETWEEN));
    if (text.startsWith("string(", at)) {
      // A dump tells the length: `string(12) "x"`.
      at = Letters.skip(text, at + "string(".length(), "0123456789) ", MOST_BETWEEN);
    }
    if (at >= text.length() || !Letters.isQuote(text.charAt(at))) {
      return Secret.NONE;
    }
    int close = Letters.close(text, at, false);
    return close >= 0 ? SecretValues.told(text, name, at + 1, close) : Secret.NONE;
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
    boolean line = fields || (tight && name.value() != Value.COOKIE && place.startsLine());
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
            : last && (text.charAt(sign) == ':' || FieldSecret.isInSection(text, start));
    String value = text.substring(from, stop);
    if (value.endsWith(",") && SecretValues.isWord(value.substring(0, value.length() - 1))) {
      // An argument of a call: `password=password, token=token`.
      return Secret.NONE;
    }
    if (SecretValues.isSecretBare(value, name.value(), tight, wordAllowed)) {
      int end = longer ? valueEnd(stop, text.length(), line) : Letters.skip(text, stop, "!", 2);
      return new Secret(from, end, name.kind());
    }
    if (name.value() == Value.PHRASE) {
      return phrase(from);
    }
    if (name.word().equals("seed")) {
      return ListedSecret.seed(text, name, from);
    }
    if (!tight && name.word().endsWith("s") && next == ' ' && SecretValues.isLetters(value)) {
      // `keys: dev x, prod y`.
      return ToldSecret.value(text, name, stop + 1);
    }
    return tight ? Secret.NONE : ToldSecret.groups(text, name, from);
  }

  /// Words up to the end of the line.
  private Secret phrase(int from) {
    Secret listed = ListedSecret.seedList(text, name, from);
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

  /// A value that has a line of its own below its name.
  private Secret below(int from) {
    int at = ToldSecret.lineStart(text, from);
    if (name.value() == Value.PHRASE) {
      Secret listed = ListedSecret.seedList(text, name, from);
      listed = listed.found() ? listed : ListedSecret.seed(text, name, at);
      if (listed.found()) {
        return listed;
      }
    }
    if (at < text.length() && Letters.isQuote(text.charAt(at))) {
      return quotedBelow(at);
    }
    int stop = valueEnd(at, Math.min(text.length(), at + LONGEST_LOOK), true);
    boolean alone =
        stop == text.length()
            || "\r\n".indexOf(text.charAt(stop)) >= 0
            || (Letters.isQuote(text.charAt(stop)) && Letters.at(text, from) == '\n');
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
    return stop > value ? SecretValues.told(text, name, value, stop) : Secret.NONE;
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

  /// `name("value")` and `"name", "value"`: the value has to be in quotes and to look like one.
  private Secret argument(int after) {
    if (name.value() == Value.HEADER) {
      return HeaderSecret.find(text, after);
    }
    int from =
        ValueStart.prefix(
            text, ValueStart.keyword(text, Letters.skip(text, after, " \t\r\n", MOST_BETWEEN)));
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
    int close = Letters.close(text, quote, quote > from);
    if (close < 0) {
      return Secret.NONE;
    }
    String value = text.substring(quote + 1, close);
    boolean certain =
        name.value() == Value.ANY
            && (NamePlace.isConstant(text, start, end)
                || place.isSetter(after)
                || text.startsWith("= PASSWORD('", start - 2))
            && !NamePlace.isConstant(text, quote + 1, close)
            && (SecretValues.isSecret(value, Value.ANY) || SecretValues.isPassphrase(value))
            && !SecretValues.namesSecret(value);
    return certain
        ? new Secret(quote + 1, close, name.kind())
        : SecretValues.told(text, name, quote + 1, close);
  }

  /// The value in the next cell of a table.
  private Secret cell(int after) {
    int from = Letters.skip(text, after, " `*", MOST_BETWEEN);
    int line = Letters.indexOf(text, '\n', from, from + LONGEST_LOOK);
    int stop = Letters.indexOf(text, '|', from, line < 0 ? from + LONGEST_LOOK : line);
    if (stop < 0 && place.startsLine()) {
      // `name | value`.
      stop = line < 0 ? Math.min(text.length(), from + LONGEST_LOOK) : line;
    }
    while (stop > from && " `*".indexOf(text.charAt(stop - 1)) >= 0) {
      stop--;
    }
    return stop > from ? SecretValues.told(text, name, from, stop) : Secret.NONE;
  }

  /// A value that only spaces divide from the name.
  private Secret spaced(int at) {
    if (place.isElement()) {
      return NestedValue.attributes(text, name, at);
    }
    if (name.value() == Value.HEADER) {
      return Letters.isQuote(Letters.at(text, at - 1)) && at > end
          ? HeaderSecret.find(text, at)
          : Secret.NONE;
    }
    if (place.isQuoted()) {
      for (String word : TELLING) {
        if (text.startsWith(word, at)) {
          Secret told = ToldSecret.value(text, name, at + word.length());
          boolean named = SecretValues.namesSecret(text.substring(told.start(), told.end()));
          return named ? Secret.NONE : told;
        }
      }
      Secret attribute = attribute(at);
      boolean element = !attribute.found() && text.startsWith("name=", start - 6);
      return element ? NestedValue.attributes(text, name, at) : attribute;
    }
    if (text.startsWith("** ", end)) {
      return ToldSecret.value(text, name, end + 3);
    }
    if (text.regionMatches(true, at, "by ", 0, 3)) {
      return word(at + 3, false);
    }
    if (!Letters.isSpace(Letters.at(text, end)) || text.startsWith("/etc/", start - 5)) {
      return Secret.NONE;
    }
    int from = Letters.skip(text, end, " \t", MOST_BETWEEN);
    if (Letters.at(text, start - 1) == '=' && ValueStart.isPair(text, from)) {
      return Secret.NONE;
    }
    if (Letters.at(text, from) == '(') {
      Secret enclosed = ToldSecret.enclosed(text, name, from);
      if (enclosed.found()) {
        return enclosed;
      }
    }
    boolean option = Letters.at(text, start - 1) == '-' || name.word().equals("identifiedby");
    from = ValueStart.located(text, ValueStart.registered(text, from));
    Secret word = word(from, option);
    if (word.found() || option) {
      return word;
    }
    Secret last = lastWord(from, LEAST_LAST);
    if (last.found()) {
      return last;
    }
    // The number tells how a device has hashed what follows.
    if (from + 2 < text.length()
        && Letters.isDigit(text.charAt(from))
        && Letters.isSpace(text.charAt(from + 1))) {
      Secret hashed = word(from + 2, false);
      hashed = hashed.found() ? hashed : lastWord(from + 2, LEAST_NUMBERED);
      if (hashed.found()) {
        return hashed;
      }
    }
    return ToldSecret.find(text, name, start, end);
  }

  /// The last word of a line with small and large letters and digits, as in the settings of a
  /// device: `username x secret VALUE`.
  private Secret lastWord(int from, int least) {
    int stop = valueEnd(from, Math.min(text.length(), from + LONGEST_LOOK), false);
    boolean line = stop == text.length() || "\r\n".indexOf(text.charAt(stop)) >= 0;
    if (!line || name.value() != Value.MIXED || stop - from < least) {
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
    int close = Letters.close(text, quote, false);
    return close >= 0 ? quoted(quote + 1, close, false) : Secret.NONE;
  }

  /// Whether ` value=` or `:value=` ends with the attribute at an index.
  private boolean isValue(int at) {
    return text.startsWith(" value=", at - 1) || text.startsWith(":value=", at - 1);
  }

  /// A quoted value, or a word up to the next space.
  private Secret word(int at, boolean option) {
    int from = ValueStart.prefix(text, at);
    if (from < text.length() && ToldSecret.isOpening(text.charAt(from))) {
      return ToldSecret.value(text, name, from);
    }
    int quote = Letters.skip(text, from, "\\", 8);
    boolean quotes = quote < text.length() && Letters.isQuote(text.charAt(quote));
    if (quotes) {
      int close = Letters.close(text, quote, quote > from);
      if (close < 0) {
        return Secret.NONE;
      }
      String value = text.substring(quote + 1, close);
      boolean secret =
          (option || place.isIdentifier() || place.isStatement())
              ? SecretValues.isSecret(value, name.value())
                  && (place.isStatement()
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
    if (name.value() == Value.PIN && stop > from) {
      // The key that ends the entry of digits.
      from = Letters.skip(text, from, "#", 1);
      stop -= stop > from && text.charAt(stop - 1) == '#' ? 1 : 0;
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
    boolean dash =
        text.charAt(Math.min(from, text.length() - 1)) == '-'
            && !(option && SecretValues.isRandom(text.substring(from, stop), LEAST_DASHED));
    if (stop == from || hashtag || dash) {
      return Secret.NONE;
    }
    String value = text.substring(from, stop);
    boolean told =
        SecretValues.isTold(value, name.value())
            || (CommandOption.isCertain(text, name, start, from, stop)
                && SecretValues.isSecretBare(value, Value.ANY, false, true))
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
}
