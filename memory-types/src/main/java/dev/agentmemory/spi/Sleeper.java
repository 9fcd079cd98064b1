package dev.agentmemory.spi;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.time.Duration;

/// Waits on the current thread.
public interface Sleeper {

  void sleep(Duration time) throws InterruptedException;

  /// The same for work that an interrupt ends; the thread stays interrupted.
  ///
  /// @param stopped the message of the exception
  /// @throws MemoryException `CLOSED` when the thread is interrupted
  default void sleep(Duration time, String stopped) {
    try {
      sleep(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MemoryException(ErrorCode.CLOSED, stopped, e);
    }
  }
}
