package dev.agentmemory.api.conversation;

import dev.agentmemory.types.MemoryException;
import java.time.Duration;
import java.util.Optional;

/// Settings of one session; what is absent follows the configuration.
///
/// @param decay whether its memories decay
/// @param halfLife of all its memories but preferences; 1 h to 10 years
/// @param floor lowest decay, 0 to 1
/// @param autoCompact whether compaction runs near the quota, else writes are refused at the quota
/// @param compactAt share of the quota at which compaction runs, 0.5 to 1
public record SessionOverrides(
    Optional<Boolean> decay,
    Optional<Duration> halfLife,
    Optional<Double> floor,
    Optional<Boolean> autoCompact,
    Optional<Double> compactAt) {

  public static final SessionOverrides NONE =
      new SessionOverrides(
          Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

  private static final Duration LONGEST = Duration.ofDays(3650);

  /// @throws MemoryException `INVALID_FIELD` naming `overrides.<field>`
  public SessionOverrides {
    halfLife.ifPresent(time -> {
      if (time.compareTo(Duration.ofHours(1)) < 0 || time.compareTo(LONGEST) > 0) {
        throw MemoryException.invalid(
            "overrides.half_life", "is " + time + "; expected 1 hour to 10 years");
      }
    });
    floor.ifPresent(value -> check("floor", value, 0));
    compactAt.ifPresent(value -> check("compact_at", value, 0.5));
  }

  private static void check(String field, double value, double least) {
    if (!(value >= least && value <= 1)) {
      throw MemoryException.invalid(
          "overrides." + field, "is " + value + "; expected " + least + " to 1");
    }
  }
}
