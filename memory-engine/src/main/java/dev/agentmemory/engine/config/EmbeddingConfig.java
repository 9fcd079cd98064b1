package dev.agentmemory.engine.config;

import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/// Which model gives events the vectors by which search finds them by meaning, and how it is
/// reached. Shown as text, it has no secret in it.
///
/// @param provider whose model it is; `LOCAL` and `NONE` need no address and no key
/// @param model the model: the one that was set, or the provider's default; empty for `LOCAL` and
///   `NONE`
/// @param apiKeyEnv name of the environment variable that was said to hold the provider's key
/// @param apiBaseUrl where the provider answers; empty is the provider's own address
/// @param key the provider's key, from the environment; empty where none is needed
/// @param dimension how many numbers a vector has; empty is what the model gives by itself
/// @param timeout of one request, 1 s to 10 min
/// @param threads that `LOCAL` uses for events, 1 to 16
public record EmbeddingConfig(
    Provider provider,
    Optional<String> model,
    Optional<String> apiKeyEnv,
    Optional<URI> apiBaseUrl,
    Optional<String> key,
    Optional<Integer> dimension,
    Duration timeout,
    int threads) {

  /// Who can give vectors.
  public enum Provider {
    /// This program itself: no key, no network.
    LOCAL(Optional.empty(), Optional.empty()),
    /// Nobody: everything is found by its words.
    NONE(Optional.empty(), Optional.empty()),
    /// OpenAI, and every server that speaks as it does.
    OPENAI(Optional.of("text-embedding-3-small"), Optional.of("OPENAI_API_KEY")),
    /// A server on this machine or nearby; needs no key.
    OLLAMA(Optional.of("nomic-embed-text"), Optional.empty());

    private final Optional<String> defaultModel;
    private final Optional<String> keyVariable;

    Provider(Optional<String> defaultModel, Optional<String> keyVariable) {
      this.defaultModel = defaultModel;
      this.keyVariable = keyVariable;
    }

    /// As it is written in settings and shown: `openai`.
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// What holds where nothing else is said: no key, no network.
  public static final EmbeddingConfig DEFAULT =
      new EmbeddingConfig(
          Provider.LOCAL,
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Duration.ofSeconds(30),
          halfOfTheCores());

  /// How many threads the model of this program uses by default.
  public static int halfOfTheCores() {
    return Math.clamp(Runtime.getRuntime().availableProcessors() / 2, 1, 16);
  }

  public EmbeddingConfig {
    Objects.requireNonNull(provider, "provider");
    model = model.or(() -> provider.defaultModel);
    // What its models give by themselves is longer than an index takes.
    dimension =
        dimension.or(() -> provider == Provider.OPENAI ? Optional.of(768) : Optional.empty());
    Objects.requireNonNull(apiKeyEnv, "apiKeyEnv");
    Objects.requireNonNull(apiBaseUrl, "apiBaseUrl");
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(dimension, "dimension");
    Objects.requireNonNull(timeout, "timeout");
    if (threads < 1 || threads > 16) {
      throw new IllegalArgumentException("threads outside 1..16: " + threads);
    }
  }

  /// Whether another process is asked.
  public boolean asksAServer() {
    return switch (provider) {
      case LOCAL, NONE -> false;
      case OPENAI, OLLAMA -> true;
    };
  }

  /// The environment variable that holds its key; empty when it needs none. Another server that
  /// speaks as OpenAI does is another party: it may do without a key.
  public Optional<String> keyVariable() {
    boolean elsewhere = provider == Provider.OPENAI && apiBaseUrl.isPresent();
    return asksAServer()
        ? apiKeyEnv.or(() -> elsewhere ? Optional.empty() : provider.keyVariable)
        : Optional.empty();
  }

  public EmbeddingConfig withKey(Optional<String> found) {
    return new EmbeddingConfig(
        provider, model, apiKeyEnv, apiBaseUrl, found, dimension, timeout, threads);
  }

  /// A configuration may end up in a log or in a message.
  @Override
  public String toString() {
    String address = apiBaseUrl.map(url -> Secrets.hidden(url.toString())).orElse("its own");
    return "EmbeddingConfig[%s/%s, address %s, key %s, dimension %s, timeout %s, threads %d]"
        .formatted(
            provider.word(),
            model.orElse("its own"),
            address,
            key.isPresent() ? "hidden" : "none",
            dimension,
            timeout,
            threads);
  }
}
