package dev.agentmemory.pipeline.ingest;

import dev.agentmemory.config.Setting;
import dev.agentmemory.config.SettingReader;
import dev.agentmemory.config.ValueParser;
import dev.agentmemory.text.secret.SecretRules;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Limits of received events, and whether secrets in them are masked.
///
/// @param maxClockSkew how far ahead of the daemon's clock a timestamp may lie
/// @param maxTextBytes of UTF-8
/// @param maxMetadataEntries number of pairs
/// @param maxMetadataKeyBytes of UTF-8, per key
/// @param maxMetadataValueBytes of UTF-8, per value
/// @param maskSecrets whether secrets in events are masked before they are stored
/// @param secretRules the rules by which secrets are found
public record IngestLimits(
    Duration maxClockSkew,
    int maxTextBytes,
    int maxMetadataEntries,
    int maxMetadataKeyBytes,
    int maxMetadataValueBytes,
    boolean maskSecrets,
    SecretRules secretRules) {

  private static final Setting<Duration> MAX_CLOCK_SKEW =
      Setting.duration("ingest.max_clock_skew", "5m", "0s to 1d")
          .describedAs("How far an event's timestamp may be ahead of the daemon's clock.");

  private static final Setting<Boolean> MASK_SECRETS =
      Setting.onOff("ingest.mask_secrets", true)
          .describedAs(
              "Whether keys, tokens and passwords in events are masked before they are stored.");

  private static final Setting<Optional<SecretRules>> SECRET_RULES =
      Setting.optional(
              "ingest.secret_rules",
              "an absolute path of a file, or none",
              text -> SecretRules.read(ValueParser.absolutePath(text)))
          .describedAs(
              "File with further rules by which secrets are found; see [secrets](secrets.md).");

  public static final List<Setting<?>> SETTINGS =
      List.of(MAX_CLOCK_SKEW, MASK_SECRETS, SECRET_RULES);

  public static final IngestLimits DEFAULT = from(SettingReader.DEFAULTS);

  public IngestLimits {
    MAX_CLOCK_SKEW.check(maxClockSkew);
  }

  public static IngestLimits from(SettingReader settings) {
    return new IngestLimits(
        settings.read(MAX_CLOCK_SKEW),
        1 << 20,
        64,
        256,
        8 << 10,
        settings.read(MASK_SECRETS),
        settings.read(SECRET_RULES).orElse(SecretRules.BUILT_IN));
  }
}
