package dev.agentmemory.pipeline;

import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;

/// When the jobs run that keep the store in order, and how long any job may take.
///
/// @param compaction cron expression: when deleted and replaced records are cleared away
/// @param outboxTrim cron expression: when changes that everyone has seen are dropped
/// @param integrityCheck cron expression: when the store is checked
/// @param zone whose clocks the expressions mean
/// @param jitter how much later than named a run may begin; 0 to 1 h
/// @param timeout of a run; 1 s to 7 d
public record JobsConfig(
    String compaction,
    String outboxTrim,
    String integrityCheck,
    ZoneId zone,
    Duration jitter,
    Duration timeout) {

  public static final JobsConfig DEFAULT =
      new JobsConfig(
          "0 4 * * *",
          "*/5 * * * *",
          "30 4 * * 0",
          ZoneOffset.UTC,
          Duration.ofMinutes(1),
          Job.DEFAULT_TIMEOUT);

  public JobsConfig {
    if (jitter.compareTo(Duration.ofHours(1)) > 0) {
      throw new IllegalArgumentException("jitter is " + jitter + ", expected 0 to 1 h");
    }
    if (timeout.toSeconds() < 1 || timeout.compareTo(Duration.ofDays(7)) > 0) {
      throw new IllegalArgumentException("timeout is " + timeout + ", expected 1 s to 7 d");
    }
    var _ = new Schedule.Cron(compaction, zone, jitter);
    var _ = new Schedule.Cron(outboxTrim, zone, jitter);
    var _ = new Schedule.Cron(integrityCheck, zone, jitter);
  }

  /// A schedule with this zone and jitter.
  public Schedule at(String expression) {
    return new Schedule.Cron(expression, zone, jitter);
  }
}
