package dev.agentmemory.storage;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/// Keeps native objects from being freed under a reader: readers enter together, the closing waits
/// for them and lets nobody in afterwards.
final class Guard {

  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private boolean closed;

  /// Enters; the caller unlocks what it gets.
  ///
  /// @throws MemoryException `CLOSED`
  Lock enter() {
    Lock reading = lock.readLock();
    reading.lock();
    if (closed) {
      reading.unlock();
      throw closed();
    }
    return reading;
  }

  /// Runs the closing when everybody has left; a second call does nothing.
  void close(Runnable closing) {
    Lock writing = lock.writeLock();
    writing.lock();
    try {
      if (!closed) {
        closed = true;
        closing.run();
      }
    } finally {
      writing.unlock();
    }
  }

  static MemoryException closed() {
    return new MemoryException(ErrorCode.CLOSED, "the store is closed; open it again");
  }
}
