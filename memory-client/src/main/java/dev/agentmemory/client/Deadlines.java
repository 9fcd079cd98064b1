package dev.agentmemory.client;

import java.time.Duration;

/// How long a caller waits for an answer.
///
/// @param call for ordinary calls
/// @param work for calls that go through the whole store: verify, rebuild, running a job
/// @param silence for streams: how long one may bring no answer while some are due
public record Deadlines(Duration call, Duration work, Duration silence) {

  /// 10 seconds, an hour, a minute.
  public static final Deadlines DEFAULT =
      new Deadlines(Duration.ofSeconds(10), Duration.ofHours(1), Duration.ofMinutes(1));

  public Deadlines {
    if (!call.isPositive() || !work.isPositive() || !silence.isPositive()) {
      throw new IllegalArgumentException("deadlines must be positive");
    }
  }
}
