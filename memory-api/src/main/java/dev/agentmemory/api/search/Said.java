package dev.agentmemory.api.search;

import java.time.Instant;

/// How often a statement was made by the same speaker, as far as the search looked: copies beyond
/// the candidates of the search are not counted.
///
/// @param times 1 and up; 1 when it was made once
/// @param since when it was first made
public record Said(int times, Instant since) {

  public Said {
    if (times < 1) {
      throw new IllegalArgumentException("times below 1: " + times);
    }
  }

  /// Made once.
  public static Said once(Instant time) {
    return new Said(1, time);
  }
}
