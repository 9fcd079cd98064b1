package dev.agentmemory.search.embed;

import java.net.URI;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/// Which embedding model a server runs and how it is reached.
///
/// @param base where the server answers, `http` or `https`, such as `http://localhost:11434`
/// @param model the server's name for it
/// @param key proves who asks; empty where none is needed. Never shown
/// @param timeout for one request, from sending to the last byte of the answer; above 0
/// @param dimension length of the vectors, 1 to [Embedder#MAX_DIMENSION]; the server is asked to
///   shorten them to it. Empty: as the server's first answer has them
public record RemoteModel(
    RemoteApi api,
    URI base,
    String model,
    Optional<String> key,
    Duration timeout,
    OptionalInt dimension) {

  /// @throws IllegalArgumentException when a value is out of its range; the message does not repeat
  ///   the key
  public RemoteModel {
    Objects.requireNonNull(api, "api");
    Objects.requireNonNull(timeout, "timeout");
    Objects.requireNonNull(dimension, "dimension");
    // A key read from a file often ends in a line feed.
    key = key.map(String::strip).filter(value -> !value.isEmpty());
    demand(!model.isBlank(), "model is empty");
    demand(
        ("http".equalsIgnoreCase(base.getScheme()) || "https".equalsIgnoreCase(base.getScheme()))
            && base.getHost() != null,
        "base is not an http or https URL with a host");
    demand(timeout.isPositive(), "timeout is not above 0: " + timeout);
    demand(
        dimension.isEmpty()
            || (dimension.getAsInt() >= 1 && dimension.getAsInt() <= Embedder.MAX_DIMENSION),
        "dimension outside 1.." + Embedder.MAX_DIMENSION + ": " + dimension);
    demand(
        key.stream().flatMapToInt(String::chars).allMatch(c -> c > 0x20 && c < 0x7f),
        "the key has characters other than printable ASCII");
  }

  /// The model as vectors remember it, such as `ollama/nomic-embed-text`.
  public String name() {
    return api.id() + '/' + model;
  }

  /// Where requests go.
  URI endpoint() {
    String root = base.toString();
    return URI.create((root.endsWith("/") ? root : root + '/') + api.path());
  }

  /// The server without what a URL may hide in its other parts.
  String server() {
    return base.getPort() < 0 ? base.getHost() : base.getHost() + ':' + base.getPort();
  }

  @Override
  public String toString() {
    return "RemoteModel[" + name() + " at " + server() + "]";
  }

  private static void demand(boolean holds, String problem) {
    if (!holds) {
      throw new IllegalArgumentException(problem);
    }
  }
}
