package dev.agentmemory.model;

import java.net.URI;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/// A provider's model and how it is reached.
///
/// @param model the provider's name for it, such as `gpt-4o-mini`
/// @param baseUrl where the provider answers, `http` or `https`; empty for its usual address
/// @param key sent with each request; empty where none is needed. Never shown
/// @param timeout for one request, from sending to the last byte of the answer; above 0
public record ModelEndpoint(
    Provider provider,
    String model,
    Optional<URI> baseUrl,
    Optional<String> key,
    Duration timeout) {

  /// @throws IllegalArgumentException when a value is out of its range, or the key has characters
  ///   that a header cannot carry; the message does not repeat the key
  public ModelEndpoint {
    // A key read from a file often ends in a line feed.
    key = key.map(String::strip).filter(value -> !value.isEmpty());
    demand(!model.isBlank(), "model is empty");
    demand(
        baseUrl.stream().allMatch(ModelEndpoint::isWebAddress),
        "baseUrl is not an http or https URL with a host");
    demand(timeout.isPositive(), "timeout is not above 0: " + timeout);
    demand(
        key.stream().flatMapToInt(String::chars).allMatch(c -> c > 0x20 && c < 0x7f),
        "the key has characters other than printable ASCII");
    demand(provider != Provider.ANTHROPIC || key.isPresent(), "anthropic needs a key");
  }

  /// The model as ledgers, nodes and vectors name it, such as `openai/gpt-4o-mini`.
  public String name() {
    return provider.id() + "/" + model;
  }

  /// The host, and the port if there is one, without what may be secret in a URL.
  String server() {
    URI base = base();
    return base.getPort() < 0 ? base.getHost() : base.getHost() + ":" + base.getPort();
  }

  /// The name, and the configured address without what may be secret in it.
  String shown() {
    return name()
        + baseUrl
            .map(url ->
                " at "
                    + url.getScheme()
                    + "://"
                    + server()
                    + Objects.requireNonNullElse(url.getPath(), ""))
            .orElse("");
  }

  /// The address of a call.
  URI url(String path) {
    String base = base().toString();
    return URI.create((base.endsWith("/") ? base : base + "/") + path);
  }

  @Override
  public String toString() {
    return "ModelEndpoint[" + shown() + "]";
  }

  private URI base() {
    return baseUrl.orElse(provider.baseUrl());
  }

  private static boolean isWebAddress(URI url) {
    String scheme = String.valueOf(url.getScheme());
    return (scheme.equalsIgnoreCase("http") || scheme.equalsIgnoreCase("https"))
        && url.getHost() != null;
  }

  private static void demand(boolean holds, String problem) {
    if (!holds) {
      throw new IllegalArgumentException(problem);
    }
  }
}
