package dev.agentmemory.spi;

import java.time.Duration;

/// Waits on the current thread.
public interface Sleeper {

  void sleep(Duration time) throws InterruptedException;
}
