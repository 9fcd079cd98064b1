package dev.agentmemory.text.secret;

import dev.agentmemory.text.secret.SecretName.Value;
import dev.agentmemory.text.secret.format.FormatIndex;
import dev.agentmemory.text.secret.format.Letters;
import dev.agentmemory.text.secret.format.SecretFormat;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// The rules by which secrets are found: formats of vendors, telling names and options of programs.
public final class SecretRules {

  private static final String RESOURCE = "secret.rules";

  /// Largest file of rules, in bytes.
  private static final long MAX_BYTES = 1 << 20;

  /// What depends on the place of a name.
  private static final Set<Value> PLACED =
      Set.of(Value.QUERY, Value.COOKIE, Value.CALL, Value.ARGUMENT, Value.PAIR, Value.CLIENT);

  /// Those that the program brings.
  public static final SecretRules BUILT_IN =
      new SecretRules(new RuleParser(RESOURCE).parse(builtIn()));

  private final RuleParser.Parsed parsed;
  private final FormatIndex index;
  private final SecretNames names;
  private final SecretNames calls;
  private final SecretNames pairs;
  private final SecretNames parameters;
  private final SecretNames cookies;
  private final List<SecretName> unspaced;
  private final CommandOption[][] options = new CommandOption[128][];
  private final CommandWord[][] commands = new CommandWord[128][];
  private final Set<String> clients;
  private final Candidates candidates;

  private SecretRules(RuleParser.Parsed parsed) {
    this.parsed = parsed;
    this.index = new FormatIndex(parsed.formats());
    this.names = names(name -> !PLACED.contains(name.value()));
    this.calls = names(name -> name.value() == Value.CALL || name.value() == Value.ARGUMENT);
    this.pairs = names(name -> name.value() == Value.PAIR);
    this.parameters = names(name -> name.value() == Value.QUERY);
    this.cookies = names(name -> name.value() == Value.COOKIE);
    this.candidates =
        new Candidates(
            parsed.formats(),
            index,
            parsed.names().stream().filter(name -> name.value() != Value.CLIENT).toList(),
            parsed.commands().stream().map(SecretRules::program).collect(Collectors.toSet()));
    this.unspaced = parsed.names().stream().filter(SecretRules::isUnspaced).toList();
    this.clients =
        parsed.names().stream()
            .filter(name -> name.value() == Value.CLIENT)
            .map(SecretName::word)
            .collect(Collectors.toSet());
    for (char c = 0; c < options.length; c++) {
      char letter = c;
      commands[c] =
          parsed.commands().stream()
              .filter(command -> command.command().charAt(0) == letter)
              .toArray(CommandWord[]::new);
      options[c] =
          parsed.options().stream()
              .filter(option -> option.flag().charAt(1) == letter)
              .toArray(CommandOption[]::new);
    }
  }

  /// The built-in rules and those of a file.
  ///
  /// @throws IllegalArgumentException with the file, the line and what would be right
  public static SecretRules read(Path file) {
    String text;
    try {
      if (Files.size(file) > MAX_BYTES) {
        throw new IllegalArgumentException(
            file + " is larger than " + MAX_BYTES + " bytes; keep only rules in it");
      }
      text = Files.readString(file);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          file
              + " cannot be read as UTF-8 ("
              + e.getClass().getSimpleName()
              + "); name a file of rules",
          e);
    }
    RuleParser.Parsed own = new RuleParser(file.toString()).parse(text);
    return new SecretRules(own.and(BUILT_IN.parsed));
  }

  private static String builtIn() {
    try (InputStream in =
        Objects.requireNonNull(SecretRules.class.getResourceAsStream(RESOURCE), RESOURCE)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private SecretNames names(Predicate<SecretName> chosen) {
    return new SecretNames(
        parsed.names().stream().filter(chosen).filter(name -> !isUnspaced(name)).toList());
  }

  private static boolean isUnspaced(SecretName name) {
    return !Letters.isWord(name.word().charAt(0));
  }

  Candidates candidates() {
    return candidates;
  }

  FormatIndex formats() {
    return index;
  }

  /// The formats, for tests of each.
  List<SecretFormat> allFormats() {
    return parsed.formats();
  }

  SecretNames names() {
    return names;
  }

  /// Names of methods.
  SecretNames calls() {
    return calls;
  }

  /// Names before a user and a password.
  SecretNames pairs() {
    return pairs;
  }

  /// Names of parameters of URLs.
  SecretNames parameters() {
    return parameters;
  }

  SecretNames cookies() {
    return cookies;
  }

  /// Names in scripts that put no spaces between words.
  List<SecretName> unspaced() {
    return unspaced;
  }

  /// Whether a word in lower case creates a client that gets its keys as arguments.
  boolean isClient(String word) {
    return clients.contains(word);
  }

  private static String program(CommandWord command) {
    int space = command.command().indexOf(' ');
    return space < 0 ? command.command() : command.command().substring(0, space);
  }

  /// The commands that begin with a character.
  CommandWord[] commands(char c) {
    return commands[c < commands.length ? c : 0];
  }

  /// The options that begin with a dash and this character.
  CommandOption[] options(char c) {
    return options[c < options.length ? c : 0];
  }
}
