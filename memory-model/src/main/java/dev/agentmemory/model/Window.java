package dev.agentmemory.model;

import java.util.function.ToIntFunction;

/// The part of a model's context window that is left for a transcript.
///
/// @param tokens counts as OpenAI's models do; others count differently
public record Window(ModelConfig config, ToIntFunction<String> tokens) {

  /// For the schema and for what wraps messages.
  private static final int WRAPPING = 250;

  /// Other models' tokens are up to a tenth shorter.
  private static final double MARGIN = 0.9;

  private static final int LEAST = 200;

  /// Tokens that a transcript may have.
  public int room(String system) {
    int all = config.contextTokens() - config.maxOutputTokens() - WRAPPING;
    return Math.max(LEAST, (int) (MARGIN * all) - tokens.applyAsInt(system));
  }

  /// The most tokens that a request may take, with its schema and the longest answer.
  public long cost(Prompt prompt) {
    return (long) count(prompt.system())
        + count(prompt.user())
        + WRAPPING
        + config.maxOutputTokens();
  }

  /// Tokens of a text.
  public int count(String text) {
    return tokens.applyAsInt(text);
  }
}
