package dev.agentmemory.pipeline.job;

import dev.agentmemory.config.Setting;
import dev.agentmemory.config.SettingReader;
import dev.agentmemory.spi.Schedule;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;

/// When the jobs run that keep the store in order, and how long any job may take.
///
/// @param compaction cron expression: when deleted and replaced records are cleared away
/// @param outboxTrim cron expression: when entries that all consumers have processed are deleted
/// @param integrityCheck cron expression: when the store is checked
/// @param llmSummaries cron expression: when a model replaces extractive summaries
/// @param embeddingBackfill cron expression: when events without a vector get one that an earlier
///   attempt left out
/// @param searchCalibration cron expression: when it is looked whether the relevance of hits has to
///   be calibrated
/// @param consolidation cron expression: when curated memories are consolidated
/// @param scrubPeriod in which every file of a store is read; 0 for only on request
/// @param zone whose clocks the expressions mean
/// @param jitter how much later than named a run may begin
/// @param timeout of a run
public record JobsConfig(
    String compaction,
    String outboxTrim,
    String integrityCheck,
    String llmSummaries,
    String embeddingBackfill,
    String searchCalibration,
    String consolidation,
    Duration scrubPeriod,
    ZoneId zone,
    Duration jitter,
    Duration timeout) {

  private static final Setting<String> COMPACTION =
      cron("jobs.compaction", "0 4 * * *")
          .describedAs(
              "Schedule for compaction, which frees the disk space of deleted and replaced"
                  + " records.");

  private static final Setting<String> OUTBOX_TRIM =
      cron("jobs.outbox_trim", "*/5 * * * *")
          .describedAs("Schedule for deleting outbox entries that every consumer has processed.");

  private static final Setting<String> INTEGRITY_CHECK =
      cron("jobs.integrity_check", "30 4 * * 0")
          .describedAs(
              "Schedule for checking all records of the store at low speed; `memory jobs` shows the"
                  + " findings.");

  private static final Setting<String> LLM_SUMMARIES =
      cron("jobs.llm_summaries", "*/5 * * * *")
          .describedAs(
              "Schedule for replacing extractive summaries of closed segments and periods by the"
                  + " model's; not used if `summarizer.provider` is `extractive`.");

  private static final Setting<String> EMBEDDING_BACKFILL =
      cron("jobs.embedding_backfill", "*/30 * * * *")
          .describedAs(
              "Schedule for embedding memories and events that an earlier attempt skipped; it also"
                  + " runs one minute after the start. Not used if `search.embeddings` is `none`.");

  private static final Setting<String> SEARCH_CALIBRATION =
      cron("jobs.search_calibration", "*/10 * * * *")
          .describedAs(
              "Schedule for looking whether a search with the limits of the commands has been made,"
                  + " and the number of events has doubled since relevance was calibrated; if so, it"
                  + " is calibrated, which takes some seconds.");

  private static final Setting<String> CONSOLIDATION =
      cron("jobs.consolidation", "0 3 * * *")
          .describedAs(
              "Schedule for consolidating curated memories: promoting, merging and dropping them.");

  private static final Setting<Duration> SCRUB_PERIOD =
      Setting.durationOrNever("jobs.scrub_period", "7d", "1h to 365d")
          .describedAs(
              "Period in which every table and log file is read once to verify its checksums; with"
                  + " 0s only `memory jobs run scrub` does so.");

  private static final Setting<ZoneId> ZONE =
      Setting.zone("jobs.zone").describedAs("Time zone of the cron expressions.");

  private static final Setting<Duration> JITTER =
      Setting.duration("jobs.jitter", "1m", "0s to 1h")
          .describedAs(
              "Maximum random delay of a job after its scheduled time; never more than half of the"
                  + " time until its next run.");

  private static final Setting<Duration> TIMEOUT =
      Setting.duration("jobs.timeout", "1h", "1s to 7d")
          .describedAs(
              "Maximum duration of a job run; a longer run is interrupted and counts as failed."
                  + " Rebuilds may take a day.");

  /// When each job runs.
  public static final List<Setting<?>> SCHEDULES =
      List.of(
          COMPACTION,
          OUTBOX_TRIM,
          INTEGRITY_CHECK,
          LLM_SUMMARIES,
          EMBEDDING_BACKFILL,
          SEARCH_CALIBRATION,
          CONSOLIDATION,
          SCRUB_PERIOD);

  /// What applies to all jobs.
  public static final List<Setting<?>> SETTINGS = List.of(ZONE, JITTER, TIMEOUT);

  public static final JobsConfig DEFAULT = from(SettingReader.DEFAULTS);

  public JobsConfig {
    COMPACTION.check(compaction);
    OUTBOX_TRIM.check(outboxTrim);
    INTEGRITY_CHECK.check(integrityCheck);
    LLM_SUMMARIES.check(llmSummaries);
    EMBEDDING_BACKFILL.check(embeddingBackfill);
    SEARCH_CALIBRATION.check(searchCalibration);
    CONSOLIDATION.check(consolidation);
    SCRUB_PERIOD.check(scrubPeriod);
    JITTER.check(jitter);
    TIMEOUT.check(timeout);
  }

  public static JobsConfig from(SettingReader settings) {
    return new JobsConfig(
        settings.read(COMPACTION),
        settings.read(OUTBOX_TRIM),
        settings.read(INTEGRITY_CHECK),
        settings.read(LLM_SUMMARIES),
        settings.read(EMBEDDING_BACKFILL),
        settings.read(SEARCH_CALIBRATION),
        settings.read(CONSOLIDATION),
        settings.read(SCRUB_PERIOD),
        settings.read(ZONE),
        settings.read(JITTER),
        settings.read(TIMEOUT));
  }

  /// A setting that is a cron expression.
  public static Setting<String> cron(String key, String byDefault) {
    return Setting.text(
        key,
        byDefault,
        "a cron expression",
        expression -> {
          // Reading the first expression takes a new process 50 ms and more; commands that only
          // pass their settings on must not wait for what is known to be right.
          if (!expression.equals(byDefault)) {
            var _ = CronTimes.of(expression, ZoneOffset.UTC);
          }
        });
  }

  /// A schedule with this zone and jitter.
  public Schedule at(String expression) {
    return new Schedule.Cron(expression, zone, jitter);
  }
}
