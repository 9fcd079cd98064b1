package dev.agentmemory.model;

import dev.agentmemory.types.ModelCall;
import java.time.Duration;
import java.time.Instant;

/// One request that went out, as the ledger wants to know it.
///
/// @param inputTokens as the provider counts them; 0 when it did not say
/// @param outputTokens as the provider counts them; 0 when it did not say
public record Attempted(
    Instant time,
    long inputTokens,
    long outputTokens,
    Duration duration,
    ModelCall.Outcome outcome) {

  /// The same request with another outcome.
  public Attempted as(ModelCall.Outcome changed) {
    return new Attempted(time, inputTokens, outputTokens, duration, changed);
  }
}
