package dev.agentmemory.bench.result;

/// Measures durations.
public final class Clock {

  private final long start = System.nanoTime();

  private Clock() {}

  public static Clock start() {
    return new Clock();
  }

  public double seconds() {
    return (System.nanoTime() - start) / 1e9;
  }

  public double micros() {
    return (System.nanoTime() - start) / 1e3;
  }
}
