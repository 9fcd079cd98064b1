package dev.agentmemory.storage.internal.rocksdb;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/// Keeps native objects from being freed under a reader: readers enter together, the closing waits
/// for them and lets nobody in afterwards.
public final class Guard {

  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private boolean closed;
  private volatile boolean awaited;

  /// Enters; the caller unlocks what it gets.
  ///
  /// @throws MemoryException `CLOSED`
  public Lock enter() {
    Lock reading = lock.readLock();
    reading.lock();
    if (closed) {
      reading.unlock();
      throw closed();
    }
    return reading;
  }

  /// Runs something when everybody has left, and lets readers in again afterwards.
  ///
  /// @throws MemoryException `CLOSED`
  public void alone(Runnable action) {
    Lock writing = lock.writeLock();
    awaited = true;
    writing.lock();
    try {
      awaited = false;
      if (closed) {
        throw closed();
      }
      action.run();
    } finally {
      writing.unlock();
    }
  }

  /// Whether readers that take long should leave now.
  public boolean isAwaited() {
    return awaited;
  }

  /// Runs the closing when everybody has left; a second call does nothing.
  public void close(Runnable closing) {
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

  public static MemoryException closed() {
    return new MemoryException(ErrorCode.CLOSED, "the store is closed; open it again");
  }
}
