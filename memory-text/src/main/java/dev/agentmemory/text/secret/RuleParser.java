package dev.agentmemory.text.secret;

import dev.agentmemory.text.secret.SecretName.After;
import dev.agentmemory.text.secret.SecretName.Value;
import dev.agentmemory.text.secret.format.Alphabet;
import dev.agentmemory.text.secret.format.Letters;
import dev.agentmemory.text.secret.format.SecretFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads a file of rules. docs/secrets.md describes its format.
final class RuleParser {

  private static final Pattern PART =
      Pattern.compile("'([^']+)'|\"([^\"]+)\"|([A-Za-z0-9]+):(\\d{1,4})(?:-(\\d{1,4})|(\\+))?");
  private static final Pattern KIND = Pattern.compile("[a-z][a-z0-9_]{0,39}");
  private static final String NO_KIND = "-";
  private static final String DIGIT = "digit";

  /// What a file contains.
  record Parsed(
      List<SecretFormat> formats,
      List<SecretName> names,
      List<CommandOption> options,
      List<CommandWord> commands) {

    Parsed {
      formats = List.copyOf(formats);
      names = List.copyOf(names);
      options = List.copyOf(options);
      commands = List.copyOf(commands);
    }

    /// Both; these come first.
    Parsed and(Parsed others) {
      return new Parsed(
          joined(formats, others.formats),
          joined(names, others.names),
          joined(options, others.options),
          joined(commands, others.commands));
    }

    private static <T> List<T> joined(List<T> some, List<T> others) {
      var all = new ArrayList<>(some);
      all.addAll(others);
      return all;
    }
  }

  private final String file;
  private final List<SecretFormat> formats = new ArrayList<>();
  private final List<SecretName> names = new ArrayList<>();
  private final List<CommandOption> options = new ArrayList<>();
  private final List<CommandWord> commands = new ArrayList<>();

  /// @param file its name, for messages
  RuleParser(String file) {
    this.file = file;
  }

  /// @throws IllegalArgumentException with the file, the line and what would be right
  Parsed parse(String text) {
    String section = "";
    String[] lines = text.split("\r?\n", -1);
    for (int i = 0; i < lines.length; i++) {
      String line = lines[i].strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      try {
        if (line.startsWith("[")) {
          section = line;
        } else {
          rule(section, line);
        }
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "%s, line %d: %s".formatted(file, i + 1, e.getMessage()), e);
      }
    }
    return new Parsed(formats, names, options, commands);
  }

  private void rule(String section, String line) {
    String[] words = line.split("\\s+");
    switch (section) {
      case "[formats]" -> formats.add(format(line, words));
      case "[names]" -> names(words);
      case "[options]" -> options.add(option(words));
      case "[commands]" -> commands(words);
      default ->
          throw new IllegalArgumentException(
              "the rule is in no known section; put [formats], [names], [options] or [commands]"
                  + " before it");
    }
  }

  private static String kind(String word) {
    if (!KIND.matcher(word).matches()) {
      throw new IllegalArgumentException(
          "`%s` is no kind; use small letters, digits and _, such as my_token".formatted(word));
    }
    return word;
  }

  private static SecretFormat format(String line, String[] words) {
    if (words.length < 3) {
      throw new IllegalArgumentException(
          "a format needs a kind, a vendor and parts, such as: my_token mine 'my_' alnum:32");
    }
    String kind = kind(words[0]);
    String rest = line.split("\\s+", 3)[2];
    boolean digit = rest.endsWith(" " + DIGIT);
    List<SecretFormat.Part> parts =
        parts(digit ? rest.substring(0, rest.length() - DIGIT.length()) : rest);
    check(parts);
    return new SecretFormat(kind, words[1], parts, digit);
  }

  private static List<SecretFormat.Part> parts(String text) {
    var parts = new ArrayList<SecretFormat.Part>();
    Matcher part = PART.matcher(text);
    int at = 0;
    while (at < text.length()) {
      if (Character.isWhitespace(text.charAt(at))) {
        at++;
      } else if (part.find(at) && part.start() == at) {
        parts.add(part(part));
        at = part.end();
      } else {
        throw new IllegalArgumentException(
            "`%s` is no part of a format; use 'text', \"text before it\", class:length, class:least-most or class:least+"
                .formatted(text.substring(at).split("\\s", 2)[0]));
      }
    }
    return parts;
  }

  private static SecretFormat.Part part(Matcher part) {
    if (part.group(1) != null) {
      return SecretFormat.Part.literal(part.group(1), false);
    }
    if (part.group(2) != null) {
      return SecretFormat.Part.literal(part.group(2), true);
    }
    String word = part.group(3);
    Alphabet alphabet =
        Alphabet.named(word)
            .orElseThrow(() ->
                new IllegalArgumentException(
                    "`%s` is no class of characters; use one of %s"
                        .formatted(word, Alphabet.names())));
    int least = Integer.parseInt(part.group(4));
    int most =
        part.group(6) != null
            ? Integer.MAX_VALUE
            : part.group(5) == null ? least : Integer.parseInt(part.group(5));
    if (most < least || most == 0) {
      throw new IllegalArgumentException(
          "`%s` has no possible length; put the smaller number first".formatted(part.group()));
    }
    return SecretFormat.Part.of(alphabet, least, most);
  }

  /// A format has to be found by its literal, and to match in one way only.
  private static void check(List<SecretFormat.Part> parts) {
    boolean anchored =
        !parts.isEmpty()
            && (parts.getFirst().isLiteral()
                ? parts.getFirst().literal().length() > 1
                : parts.getFirst().isFixed() && parts.size() > 1 && parts.get(1).isLiteral());
    if (!anchored) {
      throw new IllegalArgumentException(
          "a format has to begin with a text of at least two characters, or with characters of one"
              + " length and a text");
    }
    if (parts.stream().allMatch(SecretFormat.Part::kept)) {
      throw new IllegalArgumentException(
          "nothing of the format would be masked; put what is secret in '...' or name its class");
    }
    for (int i = 0; i + 1 < parts.size(); i++) {
      SecretFormat.Part part = parts.get(i);
      SecretFormat.Part next = parts.get(i + 1);
      if (next.kept() && !part.kept()) {
        throw new IllegalArgumentException(
            "\"%s\" follows what is masked; only text before it can be kept"
                .formatted(next.literal()));
      }
      if (!part.isFixed() && swallows(part, next)) {
        throw new IllegalArgumentException(
            "a part without a fixed length is followed by one that it contains; give it a fixed"
                + " length");
      }
    }
    // Only ASCII is looked up.
    if (parts.stream().anyMatch(p -> p.isLiteral() && p.literal().chars().anyMatch(c -> c > 126))) {
      throw new IllegalArgumentException("a text of the format is not ASCII; use ASCII only");
    }
  }

  private static boolean swallows(SecretFormat.Part part, SecretFormat.Part next) {
    for (char c = 0; c < 128; c++) {
      if (part.alphabet().has(c) && next.canBegin(c)) {
        return true;
      }
    }
    return false;
  }

  private void names(String[] words) {
    if (words.length < 3) {
      throw new IllegalArgumentException(
          "names need a kind, the form of their values and words, such as: password any *password");
    }
    Value value = oneOf(Value.class, words[1]);
    String kind = words[0].equals(NO_KIND) && value == Value.NONE ? "" : kind(words[0]);
    Arrays.stream(words).skip(2).forEach(word -> names.add(name(kind, value, word)));
  }

  private static SecretName name(String kind, Value value, String written) {
    After after =
        switch (written.charAt(0)) {
          case '*' -> After.ANYTHING;
          case '_' -> After.JOINT;
          default -> After.START;
        };
    String word = after == After.START ? written : written.substring(1);
    boolean usable =
        word.length() > 1
            && word.equals(word.toLowerCase(Locale.ROOT))
            && word.chars().allMatch(Character::isLetter);
    if (!usable) {
      throw new IllegalArgumentException(
          "`%s` is no word of a name; use at least two small letters, after * or _ if need be"
              .formatted(written));
    }
    return new SecretName(word, after, kind, value);
  }

  private static CommandOption option(String[] words) {
    if (words.length != 4 || !words[3].startsWith("-") || words[3].length() < 2) {
      throw new IllegalArgumentException(
          "an option needs a kind, the place of the secret, programs and the option, such as:"
              + " password joined mysql,mysqldump -p");
    }
    return new CommandOption(
        kind(words[0]),
        oneOf(CommandOption.Form.class, words[1]),
        List.of(words[2].replace('+', ' ').split(",")),
        words[3]);
  }

  private void commands(String[] words) {
    boolean usable = words.length >= 3;
    for (int i = 2; i < words.length; i++) {
      usable &= Letters.isLetter(words[i].charAt(0));
    }
    if (!usable) {
      throw new IllegalArgumentException(
          "commands need a kind, which word after them is the secret, and their words, such as:"
              + " token 1 acmectl+login");
    }
    String kind = kind(words[0]);
    boolean counted = words[1].length() == 1 && Letters.isDigit(words[1].charAt(0));
    int place = counted ? words[1].charAt(0) - '0' : 0;
    if (counted && place == 0) {
      throw new IllegalArgumentException("`0` is no place of a word; count from 1");
    }
    Arrays.stream(words)
        .skip(2)
        .map(command -> command.replace('+', ' '))
        .forEach(command ->
            commands.add(
                new CommandWord(kind, command, place, counted ? "" : words[1].replace('+', ' '))));
  }

  private static <E extends Enum<E>> E oneOf(Class<E> type, String word) {
    E[] all = type.getEnumConstants();
    return Arrays.stream(all)
        .filter(one -> one.name().toLowerCase(Locale.ROOT).equals(word))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "`%s` is unknown; use one of %s"
                    .formatted(
                        word,
                        String.join(
                            ", ",
                            Arrays.stream(all)
                                .map(one -> one.name().toLowerCase(Locale.ROOT))
                                .toList()))));
  }
}
