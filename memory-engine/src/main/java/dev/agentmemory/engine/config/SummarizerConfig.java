package dev.agentmemory.engine.config;

import dev.agentmemory.config.Setting;
import dev.agentmemory.config.SettingReader;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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

  /// Providers that write titles and bullets.
  public enum Provider {
    /// In this process: no key, no network.
    EXTRACTIVE(Optional.empty(), Optional.empty()),
    /// OpenAI and OpenAI-compatible servers.
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

    /// The name in settings and output: `openai`.
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// Limits of requests to a model.
  ///
  /// @param timeout of one request
  /// @param maxOutputTokens of one answer
  /// @param contextTokens of one request and its answer together
  /// @param dailyTokenBudget input and output of a day together, per store; 0 is no limit
  public record Limits(
      Duration timeout, int maxOutputTokens, int contextTokens, int dailyTokenBudget) {

    public Limits {
      TIMEOUT.check(timeout);
      MAX_OUTPUT_TOKENS.check(maxOutputTokens);
      CONTEXT_TOKENS.check(contextTokens);
      DAILY_TOKEN_BUDGET.check(dailyTokenBudget);
    }

    /// Whether an answer leaves space for the transcript.
    public boolean leavesSpace() {
      return maxOutputTokens <= contextTokens / 2;
    }
  }

  public static final Setting<Provider> PROVIDER =
      Setting.oneOf("summarizer.provider", Provider.EXTRACTIVE, Map.of("local", Provider.OLLAMA))
          .describedAs(
              "Provider that writes titles, summaries and bullets. `extractive` needs no key and no"
                  + " network. With a model, `extractive` writes first and the model replaces its"
                  + " text later. `openai` also covers OpenAI-compatible servers; `local` is an"
                  + " alias of `ollama`.");

  private static final Setting<Optional<String>> MODEL =
      ProviderSettings.model("summarizer.model")
          .describedAs(
              "Model of the provider; `none` selects "
                  + ProviderSettings.defaults(
                      Provider.values(), Provider::word, provider -> provider.defaultModel)
                  + ".");

  public static final Setting<Optional<String>> API_KEY_ENV =
      ProviderSettings.keyVariable("summarizer.api_key_env")
          .describedAs(
              "Environment variable that holds the provider's key; the key itself is never"
                  + " configured. `none` selects OPENAI_API_KEY (openai at its default address),"
                  + " ANTHROPIC_API_KEY (anthropic), no key (ollama, openai at another address).");

  private static final Setting<Optional<URI>> API_BASE_URL =
      ProviderSettings.address("summarizer.api_base_url")
          .describedAs("Base URL of the provider's API; `none` selects the provider's default.");

  private static final Setting<Duration> TIMEOUT =
      Setting.duration("summarizer.timeout", "60s", "1s to 10m")
          .describedAs("Timeout of one request to the provider.");

  public static final Setting<Integer> MAX_OUTPUT_TOKENS =
      Setting.whole("summarizer.max_output_tokens", 1000, "100 to 100000")
          .describedAs(
              "Maximum number of tokens in a response; at most half of"
                  + " `summarizer.context_tokens`.");

  public static final Setting<Integer> CONTEXT_TOKENS =
      Setting.whole("summarizer.context_tokens", 8192, "1024 to 10000000")
          .describedAs(
              "Maximum number of tokens in a request and its response together; longer segments are"
                  + " truncated.");

  private static final Setting<Optional<Integer>> SEED =
      Setting.wholeOrNone("summarizer.seed", "0 to 2147483647, or none")
          .describedAs(
              "Random seed for providers that support one, which makes responses more"
                  + " reproducible.");

  private static final Setting<Integer> DAILY_TOKEN_BUDGET =
      Setting.whole("summarizer.daily_token_budget", 200_000, "0 to 2000000000")
          .describedAs(
              "Maximum number of input and output tokens per store and day (in the store's time"
                  + " zone); further requests are made on the next day. 0 means no limit.");

  public static final List<Setting<?>> SETTINGS =
      List.of(
          PROVIDER,
          MODEL,
          API_KEY_ENV,
          API_BASE_URL,
          TIMEOUT,
          MAX_OUTPUT_TOKENS,
          CONTEXT_TOKENS,
          SEED,
          DAILY_TOKEN_BUDGET);

  /// What holds where nothing else is said: no key, no network.
  public static final SummarizerConfig DEFAULT = from(SettingReader.DEFAULTS);

  public SummarizerConfig {
    model = model.or(() -> provider.defaultModel);
  }

  /// The provider's key is not a setting: [#withKey] adds it.
  public static SummarizerConfig from(SettingReader settings) {
    return new SummarizerConfig(
        settings.read(PROVIDER),
        settings.read(MODEL),
        settings.read(API_KEY_ENV),
        settings.read(API_BASE_URL),
        Optional.empty(),
        settings.read(SEED),
        new Limits(
            settings.read(TIMEOUT),
            settings.read(MAX_OUTPUT_TOKENS),
            settings.read(CONTEXT_TOKENS),
            settings.read(DAILY_TOKEN_BUDGET)));
  }

  /// Whether a model writes.
  public boolean asksAModel() {
    return provider != Provider.EXTRACTIVE;
  }

  /// The name of the summariser in output: `extractive`, or provider and model.
  public String name() {
    return asksAModel() ? provider.word() + "/" + model.orElseThrow() : provider.word();
  }

  /// The environment variable that holds its key; empty when it needs none. Another server that
  /// speaks as OpenAI does is another party: it may do without a key, and the one that is meant for
  /// OpenAI is not sent to it unless its variable is named.
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
