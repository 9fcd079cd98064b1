package dev.agentmemory.daemon.config;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// The key of a provider: which environment variable holds it, and what it is. It is never shown.
final class ProviderKey {

  /// What can stand in a header; anything else was pasted wrongly.
  private static final Pattern SENDABLE = Pattern.compile("[!-~]{1,4096}");

  private ProviderKey() {}

  /// @return empty when none is needed
  /// @throws IllegalArgumentException saying what to do when it is needed and not there
  static Optional<String> read(SummarizerConfig config, Map<String, String> environment) {
    return variable(config).map(variable -> value(config, variable, environment));
  }

  /// Another server that speaks as OpenAI does is another party: it may do without a key, and the
  /// one that is meant for OpenAI is not sent to it unless somebody says so.
  private static Optional<String> variable(SummarizerConfig config) {
    if (!config.asksAModel()) {
      return Optional.empty();
    }
    boolean elsewhere =
        config.provider() == SummarizerConfig.Provider.OPENAI && config.apiBaseUrl().isPresent();
    return config
        .apiKeyEnv()
        .or(() -> elsewhere ? Optional.empty() : config.provider().keyVariable());
  }

  private static String value(
      SummarizerConfig config, String variable, Map<String, String> environment) {
    String key = environment.getOrDefault(variable, "").strip();
    // Capitals only can be a key that was put where its variable's name belongs.
    String name = Secrets.hidden(variable);
    if (key.isEmpty()) {
      throw new IllegalArgumentException(
          "%s needs a key, and the environment variable %s is not set; set it where `memory start`"
                  .formatted(config.provider().word(), name)
              + " runs, or name the variable that holds the key with summarizer.api_key_env, or set"
              + " summarizer.provider to extractive, which needs none");
    }
    if (!SENDABLE.matcher(key).matches()) {
      throw new IllegalArgumentException(
          "the environment variable %s holds no key: there are blanks, line breaks or letters"
                  .formatted(name)
              + " outside ASCII in it; set it anew");
    }
    return key;
  }
}
