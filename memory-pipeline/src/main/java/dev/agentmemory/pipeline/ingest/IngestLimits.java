package dev.agentmemory.pipeline.ingest;

import java.time.Duration;

/// Limits of received events, and whether secrets in them are masked.
///
/// @param maxClockSkew how far ahead of the daemon's clock a timestamp may lie; 0 to 1 day
/// @param maxTextBytes of UTF-8
/// @param maxMetadataEntries number of pairs
/// @param maxMetadataKeyBytes of UTF-8, per key
/// @param maxMetadataValueBytes of UTF-8, per value
/// @param maskSecrets whether secrets in texts and metadata are masked before they are stored
public record IngestLimits(
    Duration maxClockSkew,
    int maxTextBytes,
    int maxMetadataEntries,
    int maxMetadataKeyBytes,
    int maxMetadataValueBytes,
    boolean maskSecrets) {

  public static final IngestLimits DEFAULT =
      new IngestLimits(Duration.ofMinutes(5), 1 << 20, 64, 256, 8 << 10, true);

  public IngestLimits {
    if (maxClockSkew.isNegative() || maxClockSkew.compareTo(Duration.ofDays(1)) > 0) {
      throw new IllegalArgumentException("maxClockSkew is " + maxClockSkew + ", expected 0 to 1 d");
    }
  }

  public IngestLimits withMaxClockSkew(Duration skew) {
    return new IngestLimits(
        skew,
        maxTextBytes,
        maxMetadataEntries,
        maxMetadataKeyBytes,
        maxMetadataValueBytes,
        maskSecrets);
  }

  public IngestLimits withMaskSecrets(boolean mask) {
    return new IngestLimits(
        maxClockSkew,
        maxTextBytes,
        maxMetadataEntries,
        maxMetadataKeyBytes,
        maxMetadataValueBytes,
        mask);
  }
}
