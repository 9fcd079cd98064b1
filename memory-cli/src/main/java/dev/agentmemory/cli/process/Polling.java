package dev.agentmemory.cli.process;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/// Waits for something outside this process.
public final class Polling {

  private static final Duration PAUSE = Duration.ofMillis(50);

  private Polling() {}

  /// Evaluates a condition repeatedly until it is true.
  ///
  /// @return false when the time was over first
  public static boolean until(Duration atMost, BooleanSupplier condition)
      throws InterruptedException {
    long deadline = System.nanoTime() + atMost.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        return false;
      }
      Thread.sleep(PAUSE);
    }
    return true;
  }
}
