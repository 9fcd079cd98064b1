package dev.agentmemory.model;

import java.time.Duration;

/// Waits before a request is tried again. Handed in, so that tests need not wait.
public interface Pause {

  void pause(Duration length) throws InterruptedException;
}
