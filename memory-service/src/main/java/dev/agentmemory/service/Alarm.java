package dev.agentmemory.service;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// Runs an action after a delay.
interface Alarm {

  /// The production timer. Actions must be short.
  Alarm REAL =
      (delay, action) ->
          CompletableFuture.delayedExecutor(delay.toNanos(), TimeUnit.NANOSECONDS, Runnable::run)
              .execute(action);

  void in(Duration delay, Runnable action);
}
