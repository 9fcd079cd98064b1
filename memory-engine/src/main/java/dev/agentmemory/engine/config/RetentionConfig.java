package dev.agentmemory.engine.config;

import dev.agentmemory.config.Setting;
import dev.agentmemory.config.SettingReader;
import dev.agentmemory.config.ValueParser;
import dev.agentmemory.pipeline.job.JobsConfig;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/// How long events are kept.
///
/// @param events which are kept
/// @param cron when the others are erased
public record RetentionConfig(Kept events, String cron) {

  /// Which events are kept.
  public sealed interface Kept {

    /// All of them.
    record Forever() implements Kept {}

    /// Those that are younger.
    record Younger(Duration age) implements Kept {}

    /// The latest ones, as long as the files of the store are not larger.
    record Latest(long bytes) implements Kept {}

    /// @throws IllegalArgumentException saying what would be right
    static Kept parse(String text) {
      String word = text.toLowerCase(Locale.ROOT);
      if (word.equals(FOREVER)) {
        return new Forever();
      }
      if (word.matches("(\\d+(ms|s|m|h|d))+")) {
        Duration age = ValueParser.duration(word);
        if (age.compareTo(SHORTEST) < 0) {
          throw new IllegalArgumentException("is shorter than a day; expected " + RANGE);
        }
        return new Younger(age);
      }
      long bytes = ValueParser.size(word);
      if (bytes < SMALLEST) {
        throw new IllegalArgumentException("is smaller than 64 MiB; expected " + RANGE);
      }
      return new Latest(bytes);
    }
  }

  private static final String FOREVER = "forever";
  private static final Duration SHORTEST = Duration.ofDays(1);
  private static final long SMALLEST = 64L << 20;
  private static final String RANGE =
      "`forever`, an age of at least 1d, or a size of at least 64MiB";

  private static final Setting<Kept> EVENTS =
      new Setting<>("retention.events", FOREVER, RANGE, Kept::parse)
          .describedAs(
              "Which events are kept: all, those younger than an age such as `365d`, or the latest"
                  + " ones as long as the files of the workspace are not larger than a size such as"
                  + " `10GiB`. The others are erased as `memory forget` does; memories are kept.");

  /// When the job runs.
  public static final Setting<String> CRON =
      JobsConfig.cron("jobs.retention", "15 4 * * *")
          .describedAs(
              "Schedule for erasing events beyond `retention.events`; not used if that is"
                  + " `forever`.");

  /// The settings of the table `retention`.
  public static final List<Setting<?>> SETTINGS = List.of(EVENTS);

  public static final RetentionConfig DEFAULT = from(SettingReader.DEFAULTS);

  public static RetentionConfig from(SettingReader settings) {
    return new RetentionConfig(settings.read(EVENTS), settings.read(CRON));
  }

  /// Whether all events are kept.
  public boolean isForever() {
    return events instanceof Kept.Forever;
  }
}
