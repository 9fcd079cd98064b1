package dev.agentmemory.text.secret;

import dev.agentmemory.text.secret.SecretName.Value;
import dev.agentmemory.text.secret.format.Letters;
import dev.agentmemory.text.secret.format.Secret;
import java.util.List;

/// Finds what is piped into a program that reads a password: `echo X | sudo -S`, `echo 'user:X' |
/// chpasswd`, `(echo X; echo X) | passwd`, `sudo -S <<< X`.
final class PipedSecret {

  private static final String KIND = "password";
  private static final int LONGEST_VALUE = 300;
  private static final int LONGEST_COMMAND = 80;

  /// Formats of `printf` that print what follows.
  private static final List<String> FORMATS = List.of("'%s' ", "\"%s\" ", "%s ", "'%s\\n' ");

  private static final String HERE = "<<<";
  private static final List<String> READERS =
      List.of(
          "sudo -S",
          "sudo -kS",
          "passwd",
          "secrets create",
          "su -",
          "pass insert",
          "docker secret",
          "chpasswd",
          "--password-stdin",
          "--stdin",
          "--with-token",
          " login",
          "secret put",
          "secrets versions add",
          "secret create",
          "secret set",
          "rclone obscure",
          "gpg ",
          "kinit",
          "smbpasswd",
          "secret-tool store",
          "secrets add",
          "create secret",
          "config:set",
          "openssl passwd",
          "cryptsetup",
          "keepassxc-cli",
          "minisign",
          "ssh-add",
          "restic ",
          "borg ",
          "bw unlock",
          "7z ",
          "age ");

  private static final List<String> DECODERS = List.of(" -d", " -D", "--decode", " -r");

  /// Programs to which what is no secret is piped, too.
  private static final List<String> ENCODERS = List.of("base64", "openssl enc", "xxd", "tr -d");

  /// Parts of the names of files that hold a secret.
  private static final List<String> FILES =
      List.of(
          ".key",
          "_key",
          "secret",
          "passw",
          "token",
          ".pass",
          "credential",
          "keyfile",
          "pgpass",
          "_pass");

  /// Characters of an option, the signs after it and `printf`.
  private static final int LONGEST_OPTION = 32;

  private PipedSecret() {}

  /// `program <<< X`.
  ///
  /// @param at index of the signs
  static Secret hereString(String text, int at) {
    int line = at;
    while (line > 0 && at - line < LONGEST_COMMAND && text.charAt(line - 1) != '\n') {
      line--;
    }
    String command = text.substring(line, at);
    boolean reads = READERS.stream().anyMatch(command::contains);
    boolean stores = command.contains("tee ") && FILES.stream().anyMatch(command::contains);
    boolean conflict =
        Letters.at(text, at - 1) == '<' || Letters.at(text, at + HERE.length()) == '<';
    if (conflict || (!reads && !stores)) {
      return Secret.NONE;
    }
    int from = Letters.skip(text, at + HERE.length(), " ", 4);
    char quote = Letters.at(text, from);
    boolean quotes = quote == '\'' || quote == '"';
    from = quotes ? from + 1 : from;
    int stop = end(text, from, quotes ? quote : ' ');
    if (stop == from || stop - from == LONGEST_VALUE) {
      return Secret.NONE;
    }
    boolean told = reads || SecretValues.isTold(text.substring(from, stop), Value.ANY);
    return told ? value(text, from, stop, command) : Secret.NONE;
  }

  /// The index of the quote or the space after a value, at most [#LONGEST_VALUE] characters on.
  private static int end(String text, int from, char quote) {
    int limit = Math.min(text.length(), from + LONGEST_VALUE);
    int stop = from;
    while (stop < limit
        && (quote == ' '
            ? text.charAt(stop) > ' ' && ";)".indexOf(text.charAt(stop)) < 0
            : text.charAt(stop) != quote && text.charAt(stop) != '\n')) {
      stop++;
    }
    return stop;
  }

  private static Secret value(String text, int from, int stop, String reader) {
    int colon = reader.contains("chpasswd") ? Letters.indexOf(text, ':', from, stop) : -1;
    int start = colon > 0 ? colon + 1 : from;
    boolean secret = start < stop && SecretValues.isSecret(text.substring(start, stop), Value.ANY);
    return secret ? new Secret(start, stop, KIND) : Secret.NONE;
  }

  /// Whether what is put out takes the place of a file of a secret: `--password-file <(echo X)`.
  ///
  /// @param after index after `echo` or `printf`
  private static boolean isFile(String text, int after) {
    String before = text.substring(Math.max(0, after - LONGEST_OPTION), after);
    int open = before.lastIndexOf("<(");
    String option = before.substring(0, Math.max(open, 0));
    return FILES.stream().anyMatch(option::contains);
  }

  /// @param after index after `echo` or `printf`
  static Secret find(String text, int after) {
    int from = Letters.skip(text, after, " ", 4);
    if (Letters.at(text, from) == '-') {
      from = Letters.skip(text, from + 2, " ", 4);
    }
    for (String format : FORMATS) {
      from = text.startsWith(format, from) ? from + format.length() : from;
    }
    char quote = Letters.at(text, from);
    boolean quotes = quote == '\'' || quote == '"';
    from = quotes ? from + 1 : from;
    int stop = end(text, from, quotes ? quote : ' ');
    int pipe = Letters.skip(text, quotes ? stop + 1 : stop, " ", 4);
    boolean written = Letters.at(text, pipe) == '>';
    boolean grouped = ";)".indexOf(Letters.at(text, pipe)) >= 0;
    if (stop > from && Letters.at(text, pipe) == ')' && isFile(text, after)) {
      boolean told = SecretValues.isTold(text.substring(from, stop), Value.ANY);
      return told ? new Secret(from, stop, KIND) : Secret.NONE;
    }
    if (stop == from
        || stop - from == LONGEST_VALUE
        || (Letters.at(text, pipe) != '|' && !written && !grouped)) {
      return Secret.NONE;
    }
    String command = text.substring(pipe, Math.min(text.length(), pipe + LONGEST_COMMAND));
    int line = command.indexOf('\n');
    String reader = line < 0 ? command : command.substring(0, line);
    if (written) {
      // The last field of `host:port:database:user:X`.
      int start =
          reader.contains("pgpass") ? text.substring(from, stop).lastIndexOf(':') + 1 + from : from;
      boolean random = SecretValues.isTold(text.substring(start, stop), Value.ANY);
      boolean file = random && FILES.stream().anyMatch(reader::contains);
      return file ? new Secret(start, stop, KIND) : Secret.NONE;
    }
    String program = grouped ? reader.substring(reader.indexOf('|') + 1) : reader;
    boolean reads = READERS.stream().anyMatch(program::contains);
    boolean decodes = DECODERS.stream().anyMatch(program::contains);
    if (!reads && !grouped && !decodes && ENCODERS.stream().anyMatch(program::contains)) {
      return SecretValues.isAlternating(text.substring(from, stop))
          ? new Secret(from, stop, KIND)
          : Secret.NONE;
    }
    return reads && (!grouped || reader.contains(") | "))
        ? value(text, from, stop, program)
        : Secret.NONE;
  }
}
