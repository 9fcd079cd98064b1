package dev.agentmemory.recall;

import dev.agentmemory.config.Setting;
import dev.agentmemory.config.SettingReader;
import java.time.Duration;
import java.util.List;

/// How much a session may keep, and when it ends.
///
/// @param quotaBytes of memories and scratchpad together
/// @param autoCompact whether a session is compacted near its quota
/// @param compactAt share of the quota at which that happens
/// @param compactBelow compaction drops memories of a lower relevance
/// @param idleAfter a session becomes idle after this time without an event
public record SessionLimits(
    long quotaBytes,
    boolean autoCompact,
    double compactAt,
    double compactBelow,
    Duration idleAfter) {

  private static final Setting<Long> QUOTA =
      Setting.size("recall.session_quota", "10MB", "1KiB to 1GiB")
          .describedAs("Maximum size of the memories and the scratchpad of a session.");

  private static final Setting<Boolean> AUTO_COMPACT =
      Setting.onOff("recall.auto_compact", true)
          .describedAs(
              "Whether a session near its quota is compacted; otherwise writes are refused at the"
                  + " quota.");

  private static final Setting<Double> COMPACT_AT =
      Setting.decimal("recall.compact_at", "0.9", "0 to 1")
          .describedAs("Share of `recall.session_quota` at which a session is compacted.");

  private static final Setting<Double> COMPACT_BELOW =
      Setting.decimal("recall.compact_below", "0.05", "0 to 1")
          .describedAs(
              "Compaction drops memories of a lower relevance, except pinned and long-term ones and"
                  + " preferences.");

  private static final Setting<Duration> IDLE_AFTER =
      Setting.duration("recall.idle_after", "24h", "1m to 365d")
          .describedAs("Time without an event after which a conversation becomes idle.");

  public static final List<Setting<?>> SETTINGS =
      List.of(QUOTA, AUTO_COMPACT, COMPACT_AT, COMPACT_BELOW, IDLE_AFTER);

  public static final SessionLimits DEFAULT = from(SettingReader.DEFAULTS);

  public SessionLimits {
    QUOTA.check(quotaBytes);
    COMPACT_AT.check(compactAt);
    COMPACT_BELOW.check(compactBelow);
    IDLE_AFTER.check(idleAfter);
  }

  public static SessionLimits from(SettingReader settings) {
    return new SessionLimits(
        settings.read(QUOTA),
        settings.read(AUTO_COMPACT),
        settings.read(COMPACT_AT),
        settings.read(COMPACT_BELOW),
        settings.read(IDLE_AFTER));
  }
}
