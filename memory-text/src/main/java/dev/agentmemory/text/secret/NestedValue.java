package dev.agentmemory.text.secret;

import dev.agentmemory.text.secret.SecretName.Value;
import dev.agentmemory.text.secret.format.Letters;
import dev.agentmemory.text.secret.format.Secret;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/// Finds a value inside what is assigned to a telling name: `SecretStr("x")`, `q(x)`, `env("A",
/// "x")`, `a ?? "x"`, `["x", "y"]`, `${A:-x}`, `{ get; set; } = "x"`, `{ default = "x" }`, and one
/// that is escaped for XML, HTML or a URL.
final class NestedValue {

  private static final int LONGEST = 200;
  private static final int LONGEST_BLOCK = 300;
  private static final int LONGEST_VALUE = 1024;

  /// Names of what a block says about a name, such as a variable, that are its value.
  private static final Set<String> VALUES =
      Set.of(
          "value",
          "default",
          "defaultvalue",
          "initialvalue",
          "data",
          "content",
          "text",
          "plain",
          "plaintext",
          "string",
          "stringvalue",
          "secretstring",
          "s");

  /// What the names of functions contain whose first argument is no value but the name of one, a
  /// message, a pattern or a file.
  private static final String[] READERS =
      """
      get env fetch load read find input prompt ask lookup param require import query config header
      cookie request arg option prop setting resolve ref match regex replace split compile file path
      open join url log print format test hash sha md5 digest label translate message error exception
      raise assert expect equal valid check verify generate random create uuid sign locat select
      element xpath css page screen click fill type column key name tag attr index schema
      """
          .strip()
          .split("\\s+");

  /// What the names of functions contain whose next argument is the value if there is no other.
  private static final String[] DEFAULTS = {
    "get", "env", "fetch", "prop", "param", "config", "default", "else", "setting", "option"
  };

  private static final List<String> ALTERNATIVES = List.of("|| ", "?? ", "?: ", " or ", "// ");

  /// Functions that only convert a value.
  private static final Set<String> LITERALS =
      Set.of("byte", "bytes", "string", "str", "secretstr", "tobytes", "getbytes", "encode");

  /// What follows a name, the signs that can follow then, and what begins and ends the value.
  private static final String[][] NOTATIONS = {
    {"&gt;", "", "", "&lt;"},
    {"\\u003e", "", "", "\\u003c"},
    {"\\u003E", "", "", "\\u003C"},
    {"%3E", "", "", "%3C"},
    {"&quot;", " :=", "&quot;", "&quot;"},
    {"&#34;", " :=", "&#34;", "&#34;"},
    {"&#x22;", " :=", "&#x22;", "&#x22;"},
    {"&apos;", " :=", "&apos;", "&apos;"},
    {"&#39;", " :=", "&#39;", "&#39;"},
    {"&#x27;", " :=", "&#x27;", "&#x27;"},
    {"=&quot;", "", "", "&quot;"},
    {"=&#34;", "", "", "&#34;"},
    {"=&apos;", "", "", "&apos;"},
    {"=&#39;", "", "", "&#39;"},
    {"\\u0022", " :=", "\\u0022", "\\u0022"},
    {"%22", ":+", "%22", "%22"},
    {"%22%3A", "+", "%22", "%22"},
    {"%22%3A%20", "", "%22", "%22"},
    {"%5D=", "", "", "&"},
    {"%5D", "=", "", "&"},
  };

  /// Calls after the one that selects a field.
  private static final int MOST_CALLS = 3;

  private static final int LONGEST_CALL = 24;

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

  private static final String CDATA = "<![CDATA[";
  private static final int MOST_SPACES = 24;
  private static final int LONGEST_TAG = 80;
  private static final int LONGEST_WORD = 256;

  private final String text;
  private final SecretName name;

  private NestedValue(String text, SecretName name) {
    this.text = text;
    this.name = name;
  }

  /// @param from where the expression begins
  static Secret find(String text, SecretName name, int from) {
    var value = new NestedValue(text, name);
    char first = Letters.at(text, from);
    if (first == '{') {
      Secret secret = value.block(from);
      return secret.found() ? secret : value.expression(from);
    }
    if (first == '$' && Letters.at(text, from + 1) == '{') {
      return value.fallback(from + 2);
    }
    return value.expression(from);
  }

  /// @param open index of `{`
  static Secret inBlock(String text, SecretName name, int open) {
    return new NestedValue(text, name).block(open);
  }

  /// The strings of an expression up to its end, the end of the line, or a comparison.
  private Secret expression(int from) {
    int limit = Math.min(text.length(), from + LONGEST);
    int depth = 0;
    int argument = 0;
    String callee = "";
    Secret list = Secret.NONE;
    int word = -1;
    for (int at = from; at < limit; at++) {
      char c = text.charAt(at);
      if (Letters.isWord(c)) {
        word = word < 0 ? at : word;
        continue;
      }
      String before = word < 0 ? "" : text.substring(word, at).toLowerCase(Locale.ROOT);
      word = -1;
      if (c == '(' || c == '[' || c == '{') {
        if (isQuoteCall(before)) {
          return raw(at, limit);
        }
        depth++;
        argument = 0;
        callee = c == '[' && !before.isEmpty() ? "get" : before;
      } else if (c == ')' || c == ']' || c == '}') {
        if (--depth < 0) {
          return list;
        }
        callee = "";
        argument = 0;
      } else if (c == ',') {
        if (depth == 0) {
          return list;
        }
        argument++;
      } else if (Letters.isQuote(c)) {
        int close = close(at, limit);
        if (close < 0) {
          return list;
        }
        Secret secret =
            (depth == 0 && isAlternative(at)) || LITERALS.contains(callee)
                ? literal(at + 1, close)
                : argument(at + 1, close, callee, argument);
        if (secret.found()) {
          // Between brackets there can be several.
          if (depth == 0 || !callee.isEmpty()) {
            return secret;
          }
          list = list.found() ? new Secret(list.start(), close, name.kind()) : secret;
        }
        at = text.charAt(close) == '\\' ? close + 1 : close;
      } else if (ends(c, at)) {
        return list;
      }
    }
    return list;
  }

  private static boolean isQuoteCall(String word) {
    return word.equals("q") || word.equals("qq") || word.equals("qw");
  }

  private boolean ends(char c, int at) {
    return c == '\n'
        || c == ';'
        || (c == '#' && Letters.at(text, at - 1) == ' ')
        || (c == '/' && Letters.at(text, at + 1) == '/')
        || (c == '=' && Letters.at(text, at + 1) == '=')
        || (c == '!' && Letters.at(text, at + 1) == '=');
  }

  /// `q(x)`, `q{x}`.
  private Secret raw(int open, int limit) {
    char close = text.charAt(open) == '(' ? ')' : text.charAt(open) == '[' ? ']' : '}';
    int stop = Letters.indexOf(text, close, open + 1, limit);
    return stop < 0 ? Secret.NONE : strict(open + 1, stop);
  }

  private int close(int open, int limit) {
    char quote = text.charAt(open);
    boolean escaped = Letters.at(text, open - 1) == '\\';
    for (int at = open + 1; at < limit && text.charAt(at) != '\n'; at++) {
      char c = text.charAt(at);
      if (c == '\\' && escaped && Letters.at(text, at + 1) == quote) {
        return at;
      }
      if (c == quote) {
        return escaped ? -1 : at;
      }
      at += c == '\\' ? 1 : 0;
    }
    return -1;
  }

  private Secret argument(int from, int stop, String callee, int argument) {
    if (has(callee, READERS) && (argument == 0 || !has(callee, DEFAULTS))) {
      return Secret.NONE;
    }
    return strict(from, stop);
  }

  /// Whether `||`, `??`, `?:`, `or` or `//` stands before a value, which then is one without doubt.
  private boolean isAlternative(int quote) {
    return ALTERNATIVES.stream().anyMatch(sign -> text.startsWith(sign, quote - sign.length()));
  }

  private Secret literal(int from, int stop) {
    String value = text.substring(from, stop);
    boolean secret =
        SecretValues.isTold(value, name.value())
            || (SecretValues.isSecret(value, name.value())
                && SecretValues.isTold(value, Value.ANY));
    return secret && !SecretValues.namesSecret(value)
        ? new Secret(from, stop, name.kind())
        : Secret.NONE;
  }

  private static boolean has(String callee, String... words) {
    return Stream.of(words).anyMatch(callee::contains);
  }

  private Secret strict(int from, int stop) {
    String value = text.substring(from, stop);
    boolean secret = SecretValues.isTold(value, name.value()) && !SecretValues.namesSecret(value);
    return secret ? new Secret(from, stop, name.kind()) : Secret.NONE;
  }

  /// The value that stands for a variable without one: `${NAME:-value}`, `${name:value}`.
  private Secret fallback(int from) {
    int limit = Math.min(text.length(), from + LONGEST);
    int colon = from;
    while (colon < limit
        && (Letters.isJoined(text.charAt(colon)) || text.charAt(colon) == '.')
        && !text.startsWith("-", colon)) {
      colon++;
    }
    int value = Letters.skip(text, colon, ":", 1);
    value = Letters.skip(text, value, "-=", 1);
    int stop = Letters.indexOf(text, '}', value, limit);
    return value > colon && colon > from && stop > value ? strict(value, stop) : Secret.NONE;
  }

  /// The value that a block gives to its name, or what follows the accessors of a property.
  private Secret block(int open) {
    int limit = Math.min(text.length(), open + LONGEST_BLOCK);
    int depth = 0;
    int word = -1;
    for (int at = open; at < limit; at++) {
      char c = text.charAt(at);
      if (Letters.isWord(c)) {
        word = word < 0 ? at : word;
        continue;
      }
      if (word >= 0 && VALUES.contains(text.substring(word, at).toLowerCase(Locale.ROOT))) {
        Secret secret = assigned(at);
        if (secret.found()) {
          return secret;
        }
      }
      word = -1;
      depth += c == '{' ? 1 : c == '}' ? -1 : 0;
      if (depth == 0) {
        int sign = Letters.skip(text, at + 1, " ", 4);
        return Letters.at(text, sign) == '=' ? expression(sign + 1) : Secret.NONE;
      }
    }
    return Secret.NONE;
  }

  /// A value in quotes after `=` or `:`.
  private Secret assigned(int from) {
    int sign = Letters.skip(text, from, " \t\"'\\", LONGEST);
    if (":=".indexOf(Letters.at(text, sign)) < 0) {
      return Secret.NONE;
    }
    int open = Letters.skip(text, sign + 1, " >\t\\", LONGEST);
    int limit = Math.min(text.length(), open + LONGEST_VALUE);
    if (open >= limit || !Letters.isQuote(text.charAt(open))) {
      return Secret.NONE;
    }
    int close = close(open, limit);
    boolean secret =
        close > open + 1
            && SecretValues.isSecret(text.substring(open + 1, close), name.value())
            && !SecretValues.isCode(text.substring(open + 1, close));
    return secret ? new Secret(open + 1, close, name.kind()) : Secret.NONE;
  }

  /// What is written to the field that the name selects: `getByLabel("password").fill("x")`,
  /// `id("password").value = "x"`; or what stands for a variable without a value:
  /// `var("NAME").unwrap_or("x")`.
  ///
  /// @param end index after the name
  /// @param dot index of the first dot
  static Secret chained(String text, SecretName name, int end, int dot) {
    int at = dot;
    for (int calls = 0; calls < MOST_CALLS && Letters.at(text, at) == '.'; calls++) {
      int word = at + 1;
      int stop = word;
      while (stop - word < LONGEST_METHOD && Letters.isWord(Letters.at(text, stop))) {
        stop++;
      }
      String method = text.substring(word, stop).toLowerCase(Locale.ROOT).replace("_", "");
      if (method.equals("value") && text.startsWith(" = ", stop)) {
        return written(text, name, stop + 3);
      }
      if (Letters.at(text, stop) != '(' || dot == end) {
        return Secret.NONE;
      }
      if (WRITERS.contains(method)) {
        int lambda = text.startsWith("|_| ", stop + 1) ? stop + 5 : stop + 1;
        return written(text, name, lambda);
      }
      int close = Letters.indexOf(text, ')', stop, stop + LONGEST_CALL);
      at = close < 0 ? stop : close + 1;
    }
    return Secret.NONE;
  }

  /// What is in quotes, without the keys at its end: `x{enter}`.
  static Secret written(String text, SecretName name, int at) {
    if (at >= text.length() || !Letters.isQuote(text.charAt(at))) {
      return Secret.NONE;
    }
    int close = Letters.close(text, at, false);
    int keys = close < 0 ? -1 : Letters.indexOf(text, '{', at + 1, close);
    return close < 0 ? Secret.NONE : SecretValues.told(text, name, at + 1, keys > 0 ? keys : close);
  }

  /// The text after tags: `<td>name</td><td>x</td>`, `name: <b>x</b>`.
  ///
  /// @param tag index of the first `<`
  static Secret marked(String text, SecretName name, int tag) {
    int from = ToldSecret.afterTags(text, tag);
    int stop = from;
    while (stop < text.length()
        && stop - from < LONGEST_WORD
        && text.charAt(stop) > ' '
        && text.charAt(stop) != '<') {
      stop++;
    }
    boolean ends =
        stop == text.length() || "<\r\n".indexOf(text.charAt(stop)) >= 0 || stop - from >= 8;
    return from > tag && ends && stop > from
        ? SecretValues.told(text, name, from, stop)
        : Secret.NONE;
  }

  /// `<name>value</name>`, `<name attribute="x">value</name>`, `name="name">value<`.
  static Secret element(String text, SecretName name, int end, int at) {
    int from = at + 1;
    if (text.startsWith("</key>", end)) {
      from = end + 6;
    }
    from = Letters.skip(text, from, " \t\r\n", MOST_SPACES);
    if (Letters.at(text, from) == '<' && Letters.isLetter(Letters.at(text, from + 1))) {
      from = mark(text, from, '>') + 1;
    }
    if (text.startsWith(CDATA, from)) {
      from += CDATA.length();
      int close = mark(text, from, ']');
      boolean secret =
          close > from && SecretValues.isSecret(text.substring(from, close).strip(), name.value());
      return secret ? new Secret(from, close, name.kind()) : Secret.NONE;
    }
    int stop = mark(text, from, '<');
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
  private static int mark(String text, int from, char mark) {
    int limit = Math.min(text.length(), from + LONGEST_VALUE);
    for (int at = Math.max(0, from); at < limit && text.charAt(at) != '\n'; at++) {
      if (text.charAt(at) == mark) {
        return at;
      }
    }
    return -1;
  }

  /// `<name attribute="x">value</name>`.
  static Secret attributes(String text, SecretName name, int at) {
    int limit = Math.min(text.length(), at + LONGEST_TAG);
    int open = at;
    while (open < limit && "<>\n".indexOf(text.charAt(open)) < 0) {
      open++;
    }
    boolean element = open < limit && text.charAt(open) == '>' && text.charAt(open - 1) != '/';
    int stop = element ? mark(text, open + 1, '<') : -1;
    boolean secret =
        stop > open + 1
            && text.startsWith("</", stop)
            && SecretValues.isSecret(text.substring(open + 1, stop), name.value());
    return secret ? new Secret(open + 1, stop, name.kind()) : Secret.NONE;
  }

  /// A value whose quotes or brackets are entities or escapes: `&lt;name&gt;value&lt;`,
  /// `&quot;name&quot;: &quot;value&quot;`, `%22name%22%3A%22value%22`.
  ///
  /// @param at index after the name
  static Secret escaped(String text, SecretName name, int at) {
    for (String[] notation : NOTATIONS) {
      if (text.startsWith(notation[0], at)) {
        Secret secret = escaped(text, name, at + notation[0].length(), notation);
        if (secret.found()) {
          return secret;
        }
      }
    }
    return Secret.NONE;
  }

  private static Secret escaped(String text, SecretName name, int after, String... notation) {
    int open = Letters.skip(text, after, notation[1], 4);
    if (!text.startsWith(notation[2], open)) {
      return Secret.NONE;
    }
    int from = open + notation[2].length();
    int limit = Math.min(text.length(), from + LONGEST_VALUE);
    int stop = from;
    while (stop < limit
        && text.charAt(stop) > ' '
        && "\"<>".indexOf(text.charAt(stop)) < 0
        && !text.startsWith(notation[3], stop)) {
      stop++;
    }
    boolean closed = stop < limit || notation[3].equals("&");
    boolean secret =
        closed && stop > from && SecretValues.isSecret(text.substring(from, stop), name.value());
    return secret ? new Secret(from, stop, name.kind()) : Secret.NONE;
  }
}
