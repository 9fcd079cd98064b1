package dev.agentmemory.testkit.provider;

import java.util.Map;

/// What the provider does with one request.
public sealed interface Reply {

  /// The model says this; it comes wrapped in the format of the API that was asked.
  record Says(String text) implements Reply {}

  /// The model says this and was cut off at the limit of tokens.
  record CutOff(String text) implements Reply {}

  /// The model reads the numbered lines of the prompt and quotes some of them word for word. Asked
  /// for vectors, it gives near ones to texts that share words.
  record Sensible() implements Reply {}

  /// An HTTP answer as it stands, such as an error or half a document.
  record Plain(int status, Map<String, String> headers, String body) implements Reply {

    public Plain {
      headers = Map.copyOf(headers);
    }
  }

  /// No answer before [StubProvider#release] or [StubProvider#close].
  record Hang() implements Reply {}

  /// The connection ends in the middle of the answer.
  record Break() implements Reply {}

  /// The first bytes of an answer, and then nothing before the release.
  record Stall() implements Reply {}

  static Reply says(String text) {
    return new Says(text);
  }

  /// An error in the form that the three APIs share, near enough.
  static Reply error(int status, String message) {
    return error(status, message, Map.of());
  }

  /// @param headers such as `Retry-After`
  static Reply error(int status, String message, Map<String, String> headers) {
    return new Plain(status, headers, Formats.error(message));
  }
}
