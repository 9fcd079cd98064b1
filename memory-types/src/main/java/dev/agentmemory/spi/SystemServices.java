package dev.agentmemory.spi;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Random;
import java.util.random.RandomGenerator;

/// Time and randomness of the machine. A main class creates it and passes it on, so that a test can
/// pass its own.
///
/// @param clock tells the date and time
/// @param ticker measures how long things take
/// @param sleeper waits
/// @param random may be used by several threads; not for secrets
public record SystemServices(
    InstantSource clock, Ticker ticker, Sleeper sleeper, RandomGenerator random) {

  /// Those of the machine.
  public static SystemServices ofMachine() {
    return of(InstantSource.system());
  }

  /// Those of the machine, with another clock.
  public static SystemServices of(InstantSource clock) {
    return new SystemServices(clock, System::nanoTime, Thread::sleep, new Random());
  }

  /// The date and time.
  public Instant now() {
    return clock.instant();
  }
}
