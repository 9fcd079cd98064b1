package dev.agentmemory.client;

import java.time.Duration;

/// How long a caller waits for an answer.
///
/// @param alive for a sign of life: the first bytes on a new connection, and the answer to the ping
///   that is sent while a call takes long
/// @param call for ordinary calls
/// @param work for calls that read the whole store: verify, rebuild, running a job
/// @param silence for streams: the longest time without an answer while some are due
public record Deadlines(Duration alive, Duration call, Duration work, Duration silence) {

  /// 5 seconds, 10 seconds, an hour, a minute.
  public static final Deadlines DEFAULT =
      new Deadlines(
          Duration.ofSeconds(5),
          Duration.ofSeconds(10),
          Duration.ofHours(1),
          Duration.ofMinutes(1));

  public Deadlines {
    if (!alive.isPositive() || !call.isPositive() || !work.isPositive() || !silence.isPositive()) {
      throw new IllegalArgumentException("deadlines must be positive");
    }
  }

  /// Like this one with another time for a sign of life, and at least twice that time for a call.
  public Deadlines withAlive(Duration time) {
    Duration twice = time.multipliedBy(2);
    return new Deadlines(time, call.compareTo(twice) < 0 ? twice : call, work, silence);
  }
}
