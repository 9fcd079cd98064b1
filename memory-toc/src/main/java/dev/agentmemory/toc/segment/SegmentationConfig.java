package dev.agentmemory.toc.segment;

import java.time.Duration;

/// When a segment ends, and how much of it the next one gets to see.
///
/// @param timeThreshold a silence this long ends a segment; 1 s to 7 days
/// @param tokenThreshold a segment holds at most that many tokens, unless a single event is larger;
///   64 to 100,000
/// @param overlapTime how old an overlap event may be when the next segment starts; 0 to 1 hour
/// @param overlapTokens tokens of all overlap events together; 0 to 10,000
/// @param maxToolResultChars tool results are cut to that many UTF-16 units before they are counted
///   and summarised; 100 to 100,000
public record SegmentationConfig(
    Duration timeThreshold,
    int tokenThreshold,
    Duration overlapTime,
    int overlapTokens,
    int maxToolResultChars) {

  public static final SegmentationConfig DEFAULT =
      new SegmentationConfig(Duration.ofMinutes(30), 4096, Duration.ofMinutes(5), 500, 2000);

  public SegmentationConfig {
    check("timeThreshold", timeThreshold.toSeconds(), 1, 604_800);
    check("tokenThreshold", tokenThreshold, 64, 100_000);
    check("overlapTime", overlapTime.toSeconds(), 0, 3600);
    check("overlapTokens", overlapTokens, 0, 10_000);
    check("maxToolResultChars", maxToolResultChars, 100, 100_000);
  }

  private static void check(String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          name + " is " + value + ", expected " + least + " to " + most);
    }
  }
}
