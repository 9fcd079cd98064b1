package dev.agentmemory.testkit.fuzz;

import java.io.IOException;
import java.util.random.RandomGenerator;

/// A way into a daemon.
public interface FuzzTarget {

  /// Its name in the figures.
  String name();

  /// Sends one input, which depends on the random numbers alone.
  ///
  /// @throws IOException when the daemon does not answer at all
  FuzzAttempt attempt(RandomGenerator random) throws IOException, InterruptedException;
}
