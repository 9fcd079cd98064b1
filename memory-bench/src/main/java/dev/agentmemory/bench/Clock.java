package dev.agentmemory.bench;

/// Measures durations.
final class Clock {

  private final long start = System.nanoTime();

  private Clock() {}

  static Clock start() {
    return new Clock();
  }

  double seconds() {
    return (System.nanoTime() - start) / 1e9;
  }

  double micros() {
    return (System.nanoTime() - start) / 1e3;
  }
}
