package dev.agentmemory.daemon.config;

import dev.agentmemory.engine.config.Secrets;
import java.util.Map;
import java.util.regex.Pattern;

/// The key of a provider: which environment variable holds it, and what it is. It is never shown.
final class ProviderKey {

  /// What can stand in a header; anything else was pasted wrongly.
  private static final Pattern SENDABLE = Pattern.compile("[!-~]{1,4096}");

  private ProviderKey() {}

  /// How a provider's key is found.
  ///
  /// @param provider as it is written in settings
  /// @param variable environment variable that holds the key
  /// @param setting names the variable
  /// @param otherwise what can be set instead so that none is needed: `summarizer.provider to
  ///   extractive`
  record Wanted(String provider, String variable, String setting, String otherwise) {}

  /// @throws IllegalArgumentException saying what to do when it is not there
  static String read(Wanted wanted, Map<String, String> environment) {
    String variable = wanted.variable();
    String key = environment.getOrDefault(variable, "").strip();
    // Capitals only can be a key that was put where its variable's name belongs.
    String name = Secrets.hidden(variable);
    if (key.isEmpty()) {
      throw new IllegalArgumentException(
          "%s needs a key, and the environment variable %s is not set; set it where `memory start`"
                  .formatted(wanted.provider(), name)
              + (" runs, or set %s to the name of the variable that holds the key, or set %s, which"
                      + " needs none")
                  .formatted(wanted.setting(), wanted.otherwise()));
    }
    if (!SENDABLE.matcher(key).matches()) {
      throw new IllegalArgumentException(
          "the environment variable %s does not hold a valid key: it contains blanks, line"
                  .formatted(name)
              + " breaks or non-ASCII characters; set it again");
    }
    return key;
  }
}
