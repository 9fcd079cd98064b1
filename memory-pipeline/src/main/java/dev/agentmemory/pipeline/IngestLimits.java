package dev.agentmemory.pipeline;

import java.time.Duration;

/// What an event may weigh.
///
/// @param maxClockSkew how far ahead of the daemon's clock a timestamp may lie; 0 to 1 day
/// @param maxTextBytes of UTF-8
/// @param maxMetadataEntries number of pairs
/// @param maxMetadataKeyBytes of UTF-8, per key
/// @param maxMetadataValueBytes of UTF-8, per value
public record IngestLimits(
    Duration maxClockSkew,
    int maxTextBytes,
    int maxMetadataEntries,
    int maxMetadataKeyBytes,
    int maxMetadataValueBytes) {

  public static final IngestLimits DEFAULT =
      new IngestLimits(Duration.ofMinutes(5), 1 << 20, 64, 256, 8 << 10);

  public IngestLimits {
    if (maxClockSkew.isNegative() || maxClockSkew.compareTo(Duration.ofDays(1)) > 0) {
      throw new IllegalArgumentException("maxClockSkew is " + maxClockSkew + ", expected 0 to 1 d");
    }
  }

  public IngestLimits withMaxClockSkew(Duration skew) {
    return new IngestLimits(
        skew, maxTextBytes, maxMetadataEntries, maxMetadataKeyBytes, maxMetadataValueBytes);
  }
}
