package dev.agentmemory.spi;

import java.time.Duration;
import java.time.ZoneId;
import java.util.Objects;

/// When a job runs.
public sealed interface Schedule {

  /// In readable form, as shown to operators.
  String readable();

  /// At the times that a cron expression names. A time that passes while nothing runs at all is
  /// made up for once, soon after the next start.
  ///
  /// @param expression as in crontab: minute, hour, day of month, month, day of week. The scheduler
  ///   refuses a job whose expression is wrong
  /// @param zone whose clocks it means. Where they are put forward or back a fixed hour still comes
  ///   once a day, and `*` still every hour
  /// @param jitter each run begins up to that much later, but never after half the way to the next;
  ///   0 and up
  record Cron(String expression, ZoneId zone, Duration jitter) implements Schedule {

    public Cron {
      Objects.requireNonNull(expression, "expression");
      Objects.requireNonNull(zone, "zone");
      if (jitter.isNegative()) {
        throw new IllegalArgumentException("jitter is negative: " + jitter);
      }
    }

    @Override
    public String readable() {
      return expression;
    }
  }

  /// Again and again, counted from the start of the run before.
  record Every(Duration period) implements Schedule {
    @Override
    public String readable() {
      return "@every " + shortest(period);
    }
  }

  /// When it is poked and then left alone for `quiet`, but at the latest `atMost` after the first
  /// trigger; and again and again, in case a trigger was lost in a crash.
  record OnPoke(Duration quiet, Duration atMost, Duration every) implements Schedule {
    @Override
    public String readable() {
      return "@change +" + shortest(quiet) + ", @every " + shortest(every);
    }
  }

  /// Only when it is asked for: by hand, or by a trigger.
  record OnRequest() implements Schedule {
    @Override
    public String readable() {
      return "@request";
    }
  }

  /// All the time, on a thread of its own; pausing stops it.
  record Continuous(Pausable work) implements Schedule {
    @Override
    public String readable() {
      return "@continuous";
    }
  }

  /// Work that can be halted and let go on.
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
