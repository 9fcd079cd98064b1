package dev.agentmemory.api.standing;

import java.time.Duration;
import java.time.Instant;

/// How the relevance of a memory falls while nobody reads it: at a time t it is multiplied by
/// `max(floor, 0.5^((t - since) / halfLife))`.
///
/// @param halfLife positive; empty of meaning if it does not decay
/// @param floor 0 to 1
/// @param since when it was last read; if never, when it was made
public record DecayLaw(boolean decays, Duration halfLife, double floor, Instant since) {

  /// Of a memory that keeps its relevance.
  public static DecayLaw none(Instant since) {
    return new DecayLaw(/* decays= */ false, Duration.ofMillis(1), 1, since);
  }

  /// The factor at a time, 0 to 1.
  public double at(Instant time) {
    if (!decays || !time.isAfter(since)) {
      return 1;
    }
    double lives = Duration.between(since, time).toMillis() / (double) halfLife.toMillis();
    return Math.max(floor, Math.pow(0.5, lives));
  }
}
