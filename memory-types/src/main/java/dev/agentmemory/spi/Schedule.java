package dev.agentmemory.spi;

import java.time.Duration;
import java.time.ZoneId;

/// When a job runs.
public sealed interface Schedule {

  /// Readable form, as shown to operators.
  String readable();

  /// At the times of a cron expression. If times pass while no daemon runs, the job runs once soon
  /// after the next start.
  ///
  /// @param expression as in crontab: minute, hour, day of month, month, day of week. The scheduler
  ///   refuses a job whose expression is wrong
  /// @param zone its time zone. When daylight saving time begins or ends, a fixed hour still occurs
  ///   once a day, and `*` still every hour
  /// @param jitter each run begins up to that much later, but never after half the way to the next;
  ///   0 and up
  record Cron(String expression, ZoneId zone, Duration jitter) implements Schedule {

    public Cron {
      if (jitter.isNegative()) {
        throw new IllegalArgumentException("jitter is negative: " + jitter);
      }
    }

    @Override
    public String readable() {
      return expression;
    }
  }

  /// Periodically, counted from the start of the previous run.
  record Every(Duration period) implements Schedule {
    @Override
    public String readable() {
      return "@every " + shortest(period);
    }
  }

  /// When `quiet` has passed since the last trigger, but at most `atMost` after the first one; also
  /// after each `every`, in case a trigger was lost in a crash.
  record OnTrigger(Duration quiet, Duration atMost, Duration every) implements Schedule {
    @Override
    public String readable() {
      return "@change +" + shortest(quiet) + ", @every " + shortest(every);
    }
  }

  /// Only on request of a user, or by a trigger.
  record OnRequest() implements Schedule {
    @Override
    public String readable() {
      return "@request";
    }
  }

  /// Continuously, on a thread of its own, until it is paused.
  record Continuous(Pausable work) implements Schedule {
    @Override
    public String readable() {
      return "@continuous";
    }
  }

  /// Work that can be paused and resumed.
  interface Pausable {
    void pause();

    void resume();
  }

  static String shortest(Duration duration) {
    if (duration.toMillisPart() != 0) {
      return duration.toMillis() + "ms";
    }
    if (duration.toSecondsPart() != 0) {
      return duration.toSeconds() + "s";
    }
    return duration.toMinutesPart() != 0 ? duration.toMinutes() + "m" : duration.toHours() + "h";
  }
}
