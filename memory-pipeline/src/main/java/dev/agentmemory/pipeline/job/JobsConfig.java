package dev.agentmemory.pipeline.job;

import dev.agentmemory.spi.Job;
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
/// @param scrubPeriod in which every file of a store is read; 0 for only on request, else 1 h to
///   365 d
/// @param zone whose clocks the expressions mean
/// @param jitter how much later than named a run may begin; 0 to 1 h
/// @param timeout of a run; 1 s to 7 d
public record JobsConfig(
    String compaction,
    String outboxTrim,
    String integrityCheck,
    String llmSummaries,
    String embeddingBackfill,
    Duration scrubPeriod,
    ZoneId zone,
    Duration jitter,
    Duration timeout) {

  private static final List<String> DEFAULTS =
      List.of(
          "0 4 * * *", "*/5 * * * *", "30 4 * * 0", "*/5 * * * *", "*/30 * * * *", "30 3 * * *");

  public static final JobsConfig DEFAULT =
      new JobsConfig(
          DEFAULTS.get(0),
          DEFAULTS.get(1),
          DEFAULTS.get(2),
          DEFAULTS.get(3),
          DEFAULTS.get(4),
          Duration.ofDays(7),
          ZoneOffset.UTC,
          Duration.ofMinutes(1),
          Job.DEFAULT_TIMEOUT);

  public JobsConfig {
    boolean scrubs = scrubPeriod.toHours() >= 1 && scrubPeriod.compareTo(Duration.ofDays(365)) <= 0;
    if (!scrubs && !scrubPeriod.isZero()) {
      throw new IllegalArgumentException(
          "scrubPeriod is " + scrubPeriod + ", expected 0 or 1 h to 365 d");
    }
    if (jitter.compareTo(Duration.ofHours(1)) > 0) {
      throw new IllegalArgumentException("jitter is " + jitter + ", expected 0 to 1 h");
    }
    if (timeout.toSeconds() < 1 || timeout.compareTo(Duration.ofDays(7)) > 0) {
      throw new IllegalArgumentException("timeout is " + timeout + ", expected 1 s to 7 d");
    }
    for (String expression :
        List.of(compaction, outboxTrim, integrityCheck, llmSummaries, embeddingBackfill)) {
      check(expression, zone);
    }
  }

  /// Reading the first expression takes a new process 50 ms and more; commands that only pass their
  /// settings on must not wait for what is known to be right.
  private static void check(String expression, ZoneId zone) {
    if (!DEFAULTS.contains(expression)) {
      CronTimes.of(expression, zone);
    }
  }

  /// Reads an expression from a setting.
  ///
  /// @throws IllegalArgumentException saying what would be right
  public static String cron(String expression) {
    check(expression, ZoneOffset.UTC);
    return expression;
  }

  /// A schedule with this zone and jitter.
  public Schedule at(String expression) {
    return new Schedule.Cron(expression, zone, jitter);
  }
}
