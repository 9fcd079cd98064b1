package dev.agentmemory.testkit;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Waits for the effect of another thread or process.
public final class Await {

  private static final Duration AT_MOST = Duration.ofSeconds(60);
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(5);

  private Await() {}

  /// @param what the condition, for the message of a failure
  /// @throws AssertionError when the condition does not hold within a minute
  public static void until(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + AT_MOST.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() >= deadline) {
        throw new AssertionError("took longer than " + AT_MOST + ": " + what);
      }
      LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
    }
  }

  /// Waits until a thread waits for another one without a time limit.
  public static void untilWaiting(Thread thread) {
    until(thread.getName() + " waits", () -> thread.getState() == Thread.State.WAITING);
  }
}
