package dev.agentmemory.storage.internal.rocksdb;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/// Prevents native objects from being freed while they are read. Readers may enter concurrently.
/// Closing waits for them and refuses later ones.
public final class Guard {

  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private boolean closed;
  private volatile boolean awaited;

  /// Enters. The caller unlocks the returned lock.
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

  /// Runs an action without readers. Readers may enter again afterwards.
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

  /// Whether long reads should end now, because an exclusive action waits.
  public boolean isAwaited() {
    return awaited;
  }

  /// Runs the closing action when all readers have left. A second call does nothing.
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
