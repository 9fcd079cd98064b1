package dev.agentmemory.spi;

import java.time.Duration;

/// Tells background work how long it has to wait because something else needs the processors.
@FunctionalInterface
public interface Deferral {

  /// Background work never waits.
  Deferral NONE = () -> Duration.ZERO;

  /// How long to wait before asking again; zero when background work may go on.
  Duration left();
}
