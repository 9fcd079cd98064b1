package dev.agentmemory.spi;

/// Measures how long things take.
public interface Ticker {

  /// Nanoseconds since some fixed moment; only differences mean something.
  long nanos();
}
