package dev.agentmemory.rocksdb.internal.engine;

import dev.agentmemory.spi.Mutex;
import dev.agentmemory.storage.rows.Rows;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/// Prevents native objects from being freed while they are read. Readers may enter concurrently.
/// Closing waits for them and refuses later ones.
public final class Guard {

  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private boolean closed;
  private volatile boolean awaited;

  /// Enters. The caller leaves by closing what is returned.
  ///
  /// @throws MemoryException `CLOSED`
  public Mutex.Held enter() {
    Lock reading = lock.readLock();
    reading.lock();
    if (closed) {
      reading.unlock();
      throw Rows.closed();
    }
    return reading::unlock;
  }

  /// Enters unless somebody is in who wants to be alone. Does not wait.
  ///
  /// @return empty when one is
  /// @throws MemoryException `CLOSED`
  public Optional<Mutex.Held> tryEnter() {
    Lock reading = lock.readLock();
    if (!reading.tryLock()) {
      return Optional.empty();
    }
    if (closed) {
      reading.unlock();
      throw Rows.closed();
    }
    return Optional.of(reading::unlock);
  }

  /// Runs an action without readers. Readers may enter again afterwards.
  ///
  /// @throws MemoryException `CLOSED`
  public void alone(Runnable action) {
    Lock writing = lock.writeLock();
    awaited = true;
    try (var _ = Mutex.hold(writing)) {
      awaited = false;
      if (closed) {
        throw Rows.closed();
      }
      action.run();
    }
  }

  /// Whether long reads should end now, because an exclusive action waits.
  public boolean isAwaited() {
    return awaited;
  }

  /// Runs the closing action when all readers have left. A second call does nothing.
  public void close(Runnable closing) {
    Lock writing = lock.writeLock();
    try (var _ = Mutex.hold(writing)) {
      if (!closed) {
        closed = true;
        closing.run();
      }
    }
  }
}
