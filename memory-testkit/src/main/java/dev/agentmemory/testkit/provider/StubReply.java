package dev.agentmemory.testkit.provider;

import java.util.Map;

/// The provider's reaction to one request.
public sealed interface StubReply {

  /// A model's answer, in the response format of the requested API.
  record Says(String text) implements StubReply {}

  /// A model's answer that was truncated at the token limit.
  record CutOff(String text) implements StubReply {}

  /// An answer that quotes some of the numbered lines of the prompt verbatim. For embeddings, texts
  /// with common words get similar vectors.
  record Sensible() implements StubReply {}

  /// A given HTTP response, such as an error or half a document.
  record Plain(int status, Map<String, String> headers, String body) implements StubReply {

    public Plain {
      headers = Map.copyOf(headers);
    }
  }

  /// No answer before [StubProvider#release] or [StubProvider#close].
  record Hang() implements StubReply {}

  /// The connection is closed in the middle of the response.
  record Break() implements StubReply {}

  /// The first bytes of a response, and nothing more before the release.
  record Stall() implements StubReply {}

  static StubReply says(String text) {
    return new Says(text);
  }

  /// An error in a form that the clients of all three APIs accept.
  static StubReply error(int status, String message) {
    return error(status, message, Map.of());
  }

  /// @param headers such as `Retry-After`
  static StubReply error(int status, String message, Map<String, String> headers) {
    return new Plain(status, headers, Formats.error(message));
  }
}
