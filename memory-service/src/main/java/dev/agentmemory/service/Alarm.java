package dev.agentmemory.service;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// Comes back after a while.
interface Alarm {

  /// The real one. What it runs must be short.
  Alarm REAL =
      (delay, action) ->
          CompletableFuture.delayedExecutor(delay.toNanos(), TimeUnit.NANOSECONDS, Runnable::run)
              .execute(action);

  void in(Duration delay, Runnable action);
}
