package dev.agentmemory.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Waits for what another thread or another process brings about.
public final class Await {

  private static final Duration AT_MOST = Duration.ofSeconds(60);
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(5);

  private Await() {}

  /// @param what is awaited, for the message of a failure
  /// @throws AssertionError when the condition does not hold within a minute
  public static void until(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + AT_MOST.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("time until " + what).isLessThan(deadline);
      LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
    }
  }

  /// Until a thread waits for another one, without a limit of its own.
  public static void untilWaiting(Thread thread) {
    until(thread.getName() + " waits", () -> thread.getState() == Thread.State.WAITING);
  }
}
