package dev.agentmemory.text.secret;

import dev.agentmemory.text.secret.SecretName.Value;
import java.util.List;

/// Finds what is piped into a program that reads a password: `echo X | sudo -S`, `echo 'user:X' |
/// chpasswd`.
final class PipedSecret {

  private static final String KIND = "password";
  private static final int LONGEST_VALUE = 300;
  private static final int LONGEST_COMMAND = 80;
  private static final List<String> READERS =
      List.of(
          "sudo -S",
          "sudo -kS",
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
          "cryptsetup");

  /// Parts of the names of files that hold a secret.
  private static final List<String> FILES =
      List.of(".key", "_key", "secret", "passw", "token", ".pass", "credential", "keyfile");

  private PipedSecret() {}

  /// @param after index after `echo`
  static Secret find(String text, int after) {
    int from = Letters.skip(text, after, " ", 4);
    if (Letters.at(text, from) == '-') {
      from = Letters.skip(text, from + 2, " ", 4);
    }
    char quote = Letters.at(text, from);
    boolean quotes = quote == '\'' || quote == '"';
    from = quotes ? from + 1 : from;
    int limit = Math.min(text.length(), from + LONGEST_VALUE);
    int stop = from;
    while (stop < limit
        && (quotes
            ? text.charAt(stop) != quote && text.charAt(stop) != '\n'
            : text.charAt(stop) > ' ')) {
      stop++;
    }
    int pipe = Letters.skip(text, quotes ? stop + 1 : stop, " ", 4);
    boolean written = Letters.at(text, pipe) == '>';
    if (stop == from || stop == limit || (Letters.at(text, pipe) != '|' && !written)) {
      return Secret.NONE;
    }
    String command = text.substring(pipe, Math.min(text.length(), pipe + LONGEST_COMMAND));
    int line = command.indexOf('\n');
    String reader = line < 0 ? command : command.substring(0, line);
    if (written) {
      boolean random = SecretValues.isTold(text.substring(from, stop), Value.ANY);
      boolean file = random && FILES.stream().anyMatch(reader::contains);
      return file ? new Secret(from, stop, KIND) : Secret.NONE;
    }
    if (READERS.stream().noneMatch(reader::contains)) {
      return Secret.NONE;
    }
    int colon = reader.contains("chpasswd") ? Letters.indexOf(text, ':', from, stop) : -1;
    int start = colon > 0 ? colon + 1 : from;
    boolean secret = start < stop && SecretValues.isSecret(text.substring(start, stop), Value.ANY);
    return secret ? new Secret(start, stop, KIND) : Secret.NONE;
  }
}
