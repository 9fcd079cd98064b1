package dev.agentmemory.engine.config;

import dev.agentmemory.config.Setting;
import dev.agentmemory.config.SettingReader;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
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
/// @param timeout of one request
/// @param threads that `LOCAL` uses for events
public record EmbeddingConfig(
    Provider provider,
    Optional<String> model,
    Optional<String> apiKeyEnv,
    Optional<URI> apiBaseUrl,
    Optional<String> key,
    Optional<Integer> dimension,
    Duration timeout,
    int threads) {

  /// Providers of embeddings.
  public enum Provider {
    /// In this process: no key, no network.
    LOCAL(Optional.empty(), Optional.empty()),
    /// No embeddings: search is lexical only.
    NONE(Optional.empty(), Optional.empty()),
    /// OpenAI and OpenAI-compatible servers.
    OPENAI(Optional.of("text-embedding-3-small"), Optional.of("OPENAI_API_KEY")),
    /// A server on this machine or nearby; needs no key.
    OLLAMA(Optional.of("nomic-embed-text"), Optional.empty());

    private final Optional<String> defaultModel;
    private final Optional<String> keyVariable;

    Provider(Optional<String> defaultModel, Optional<String> keyVariable) {
      this.defaultModel = defaultModel;
      this.keyVariable = keyVariable;
    }

    /// The name in settings and output: `openai`.
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public static final Setting<Provider> PROVIDER =
      Setting.oneOf("search.embeddings", Provider.LOCAL)
          .describedAs(
              "Embedding provider for semantic search. `local` is a model inside the daemon and"
                  + " needs no key and no network. With `none`, search is lexical only. `openai`"
                  + " also covers OpenAI-compatible servers.");

  public static final Setting<Optional<String>> MODEL =
      ProviderSettings.model("search.embedding_model")
          .describedAs(
              "Embedding model of the provider; `none` selects "
                  + ProviderSettings.defaults(
                      Provider.values(), Provider::word, provider -> provider.defaultModel)
                  + ". After a change all events are embedded again in the background.");

  public static final Setting<Optional<String>> API_KEY_ENV =
      ProviderSettings.keyVariable("search.embedding_api_key_env")
          .describedAs(
              "Environment variable that holds the provider's key; the key itself is never"
                  + " configured. `none` selects OPENAI_API_KEY (openai at its default address), no"
                  + " key (ollama, openai at another address).");

  public static final Setting<Optional<URI>> API_BASE_URL =
      ProviderSettings.address("search.embedding_api_base_url")
          .describedAs("Base URL of the embedding API; `none` selects the provider's default.");

  public static final Setting<Optional<Integer>> DIMENSION =
      Setting.wholeOrNone("search.embedding_dimension", "1 to 1024, or none")
          .describedAs(
              "Dimension of the provider's embedding vectors; `none` selects 768 (openai), the"
                  + " model's dimension (ollama).");

  private static final Setting<Duration> TIMEOUT =
      Setting.duration("search.embedding_timeout", "30s", "1s to 10m")
          .describedAs("Timeout of one request to the embedding provider.");

  private static final Setting<Optional<Integer>> THREADS =
      Setting.wholeOrNone("search.embedding_threads", "1 to 16, or none")
          .describedAs(
              "Number of threads on which the local model embeds events; `none` selects half of the"
                  + " cores, at least one.");

  public static final List<Setting<?>> SETTINGS =
      List.of(PROVIDER, MODEL, API_KEY_ENV, API_BASE_URL, DIMENSION, TIMEOUT, THREADS);

  /// What holds where nothing else is said: no key, no network.
  public static final EmbeddingConfig DEFAULT = from(SettingReader.DEFAULTS);

  public EmbeddingConfig {
    model = model.or(() -> provider.defaultModel);
    // What its models give by themselves is longer than an index takes.
    dimension =
        dimension.or(() -> provider == Provider.OPENAI ? Optional.of(768) : Optional.empty());
    TIMEOUT.check(timeout);
    THREADS.check(Optional.of(threads));
  }

  /// The provider's key is not a setting: [#withKey] adds it.
  public static EmbeddingConfig from(SettingReader settings) {
    return new EmbeddingConfig(
        settings.read(PROVIDER),
        settings.read(MODEL),
        settings.read(API_KEY_ENV),
        settings.read(API_BASE_URL),
        Optional.empty(),
        settings.read(DIMENSION),
        settings.read(TIMEOUT),
        settings.read(THREADS).orElseGet(EmbeddingConfig::halfOfTheCores));
  }

  private static int halfOfTheCores() {
    return Math.clamp(Runtime.getRuntime().availableProcessors() / 2, 1, 16);
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
