package dev.agentmemory.engine.config;

import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/// Which summariser writes, and how a model is reached. Shown as text, it has no secret in it.
///
/// @param provider whose model writes; `EXTRACTIVE` needs nothing of the rest
/// @param model the model: the one that was set, or the provider's default; empty only for
///   `EXTRACTIVE`
/// @param apiKeyEnv name of the environment variable that was said to hold the provider's key
/// @param apiBaseUrl where the provider answers; empty is the provider's own address
/// @param key the provider's key, from the environment; empty where none is needed
/// @param seed sent to providers that take one
public record SummarizerConfig(
    Provider provider,
    Optional<String> model,
    Optional<String> apiKeyEnv,
    Optional<URI> apiBaseUrl,
    Optional<String> key,
    Optional<Integer> seed,
    Limits limits) {

  /// Who can write titles and bullets.
  public enum Provider {
    /// This program itself: no key, no network.
    EXTRACTIVE(Optional.empty(), Optional.empty()),
    /// OpenAI, and every server that speaks as it does.
    OPENAI(Optional.of("gpt-4o-mini"), Optional.of("OPENAI_API_KEY")),
    ANTHROPIC(Optional.of("claude-haiku-5-5"), Optional.of("ANTHROPIC_API_KEY")),
    /// A server on this machine or nearby; needs no key.
    OLLAMA(Optional.of("llama3.2"), Optional.empty());

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

  /// What a model may take.
  ///
  /// @param timeout of one request, 1 s to 10 min
  /// @param maxOutputTokens of one answer, 100 to 100,000
  /// @param contextTokens of one request and its answer together, 1,024 to 10,000,000
  /// @param dailyTokenBudget input and output of a day together, per store, 0 to 2,000,000,000; 0
  ///   is no limit
  public record Limits(
      Duration timeout, int maxOutputTokens, int contextTokens, int dailyTokenBudget) {

    /// What holds where nothing else is said.
    public static final Limits DEFAULT = new Limits(Duration.ofSeconds(60), 1000, 8192, 200_000);

    public Limits {
      Objects.requireNonNull(timeout, "timeout");
    }

    /// Whether an answer leaves room for what it is about.
    public boolean leavesRoom() {
      return maxOutputTokens <= contextTokens / 2;
    }
  }

  /// What holds where nothing else is said: no key, no network.
  public static final SummarizerConfig DEFAULT =
      new SummarizerConfig(
          Provider.EXTRACTIVE,
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Limits.DEFAULT);

  public SummarizerConfig {
    Objects.requireNonNull(provider, "provider");
    model = model.or(() -> provider.defaultModel);
    Objects.requireNonNull(apiKeyEnv, "apiKeyEnv");
    Objects.requireNonNull(apiBaseUrl, "apiBaseUrl");
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(seed, "seed");
    Objects.requireNonNull(limits, "limits");
  }

  /// Whether a model writes.
  public boolean asksAModel() {
    return provider != Provider.EXTRACTIVE;
  }

  /// Who writes, as it is shown: `extractive` or `openai/gpt-4o-mini`.
  public String name() {
    return asksAModel() ? provider.word() + "/" + model.orElseThrow() : provider.word();
  }

  /// The environment variable that holds its key; empty when it needs none. Another server that
  /// speaks as OpenAI does is another party: it may do without a key, and the one that is meant for
  /// OpenAI is not sent to it unless somebody says so.
  public Optional<String> keyVariable() {
    boolean elsewhere = provider == Provider.OPENAI && apiBaseUrl.isPresent();
    return asksAModel()
        ? apiKeyEnv.or(() -> elsewhere ? Optional.empty() : provider.keyVariable)
        : Optional.empty();
  }

  public SummarizerConfig withKey(Optional<String> found) {
    return new SummarizerConfig(provider, model, apiKeyEnv, apiBaseUrl, found, seed, limits);
  }

  /// A configuration may end up in a log or in a message.
  @Override
  public String toString() {
    String address = apiBaseUrl.map(url -> Secrets.hidden(url.toString())).orElse("its own");
    return "SummarizerConfig[%s, address %s, key %s, seed %s, %s]"
        .formatted(name(), address, key.isPresent() ? "hidden" : "none", seed, limits);
  }
}
