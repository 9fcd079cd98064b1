package dev.agentmemory.toc.summary.model;

import java.net.URI;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/// Which model writes summaries and how it is reached.
///
/// @param model the provider's name for it, such as `gpt-4o-mini`
/// @param baseUrl where the provider answers; empty for its usual address
/// @param key proves who asks; empty where none is needed. Never shown
/// @param timeout for one request, from sending to the last byte of the answer; above 0
/// @param maxOutputTokens longest answer, 1 and up
/// @param seed asks providers that know such a thing to choose the same words again
/// @param contextTokens the model's window: prompt and answer together; above `maxOutputTokens`
public record ModelConfig(
    Provider provider,
    String model,
    Optional<URI> baseUrl,
    Optional<String> key,
    Duration timeout,
    int maxOutputTokens,
    Optional<Integer> seed,
    int contextTokens) {

  /// @throws IllegalArgumentException when a number is out of its range, or the key has characters
  ///   that no header may carry; the message does not repeat it
  public ModelConfig {
    Objects.requireNonNull(provider, "provider");
    Objects.requireNonNull(baseUrl, "baseUrl");
    Objects.requireNonNull(timeout, "timeout");
    Objects.requireNonNull(seed, "seed");
    // A key read from a file often ends in a line feed.
    key = key.map(String::strip).filter(value -> !value.isEmpty());
    demand(!model.isBlank(), "model is empty");
    demand(timeout.isPositive(), "timeout is not above 0: " + timeout);
    demand(maxOutputTokens >= 1, "maxOutputTokens below 1: " + maxOutputTokens);
    demand(
        contextTokens > maxOutputTokens,
        "contextTokens "
            + contextTokens
            + " leave no space for a request besides the"
            + " response's "
            + maxOutputTokens);
    demand(
        key.stream().flatMapToInt(String::chars).allMatch(c -> c > 0x20 && c < 0x7f),
        "the key has characters other than printable ASCII");
    if (provider == Provider.ANTHROPIC) {
      demand(key.isPresent(), "anthropic needs a key");
    }
  }

  /// The model as ledgers and nodes name it, such as `openai/gpt-4o-mini`.
  public String name() {
    return provider.id() + "/" + model;
  }

  @Override
  public String toString() {
    return "ModelConfig["
        + name()
        + baseUrl.map(url -> " at " + BoundedHttpClient.shown(url)).orElse("")
        + "]";
  }

  private static void demand(boolean holds, String problem) {
    if (!holds) {
      throw new IllegalArgumentException(problem);
    }
  }
}
