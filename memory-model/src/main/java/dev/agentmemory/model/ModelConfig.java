package dev.agentmemory.model;

import java.util.Optional;

/// A chat model and what a request to it may take.
///
/// @param maxOutputTokens longest answer, 1 and up
/// @param seed asks providers that know such a thing to choose the same words again
/// @param contextTokens the model's window: prompt and answer together; above `maxOutputTokens`
public record ModelConfig(
    ModelEndpoint endpoint, int maxOutputTokens, Optional<Integer> seed, int contextTokens) {

  /// @throws IllegalArgumentException when a number is out of its range
  public ModelConfig {
    if (maxOutputTokens < 1) {
      throw new IllegalArgumentException("maxOutputTokens below 1: " + maxOutputTokens);
    }
    if (contextTokens <= maxOutputTokens) {
      throw new IllegalArgumentException(
          "contextTokens "
              + contextTokens
              + " leave no space for a request besides the response's "
              + maxOutputTokens);
    }
  }
}
