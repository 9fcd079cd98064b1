package dev.agentmemory.text;

import java.util.function.ToIntFunction;

/// Counts the tokens of a text that is handed out, with its envelope or plain.
///
/// @param counter counts the tokens of a text
/// @param enveloped whether the text is put into an envelope ([RecalledText])
public record EnvelopeTokens(ToIntFunction<String> counter, boolean enveloped) {

  /// The text as it is handed out. An empty text has no envelope.
  public String handedOut(String body) {
    return enveloped && !body.isEmpty() ? RecalledText.wrap(body) : body;
  }

  /// Tokens of the text as it is handed out.
  public int whole(String body) {
    return counter.applyAsInt(handedOut(body));
  }

  /// Tokens of some lines of the text, with their marks. The sum over all lines, with [#frame],
  /// comes near to the whole.
  public int lines(String lines) {
    return counter.applyAsInt(enveloped ? RecalledText.mark(lines) : lines);
  }

  /// Tokens of the first and the last line of the envelope.
  public int frame() {
    return enveloped ? counter.applyAsInt(RecalledText.wrap("")) : 0;
  }
}
