package dev.agentmemory.daemon.config;

import java.net.URI;
import java.util.Objects;
import java.util.Optional;

/// Which summariser writes, and how it would be reached. The key itself is never in here, only the
/// name of the environment variable that holds it.
///
/// @param provider always `extractive` in this version, which needs nothing of the rest
/// @param model the model of a provider that has several
/// @param apiKeyEnv name of the environment variable that holds the provider's key
/// @param apiBaseUrl where the provider answers
public record SummarizerConfig(
    String provider, Optional<String> model, Optional<String> apiKeyEnv, Optional<URI> apiBaseUrl) {

  /// What holds where nothing else is said: no key, no network.
  public static final SummarizerConfig DEFAULT =
      new SummarizerConfig("extractive", Optional.empty(), Optional.empty(), Optional.empty());

  public SummarizerConfig {
    Objects.requireNonNull(provider, "provider");
    Objects.requireNonNull(model, "model");
    Objects.requireNonNull(apiKeyEnv, "apiKeyEnv");
    Objects.requireNonNull(apiBaseUrl, "apiBaseUrl");
  }
}
