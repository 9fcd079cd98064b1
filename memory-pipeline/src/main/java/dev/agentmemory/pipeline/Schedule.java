package dev.agentmemory.pipeline;

import java.time.Duration;

/// When a job runs.
public sealed interface Schedule {

  /// In readable form, as shown to operators.
  String readable();

  /// Again and again, counted from the start of the run before.
  record Every(Duration period) implements Schedule {
    @Override
    public String readable() {
      return "@every " + shortest(period);
    }
  }

  /// When it is poked and then left alone for `quiet`, but at the latest `atMost` after the first
  /// poke; and again and again, in case a poke was lost in a crash.
  record OnPoke(Duration quiet, Duration atMost, Duration every) implements Schedule {
    @Override
    public String readable() {
      return "@change +" + shortest(quiet) + ", @every " + shortest(every);
    }
  }

  /// Only when it is asked for: by hand, or by a poke.
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

  private static String shortest(Duration duration) {
    if (duration.toMillisPart() != 0) {
      return duration.toMillis() + "ms";
    }
    if (duration.toSecondsPart() != 0) {
      return duration.toSeconds() + "s";
    }
    return duration.toMinutesPart() != 0 ? duration.toMinutes() + "m" : duration.toHours() + "h";
  }
}
