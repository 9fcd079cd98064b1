package dev.agentmemory.spi;

import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/// A reentrant lock that is held for a `try` block. Unlike `synchronized`, it has several
/// conditions. The `catch` and `finally` of that `try` run after the lock was released.
public final class Mutex {

  private final ReentrantLock lock = new ReentrantLock();

  /// A lock that is held until this is closed.
  public interface Held extends AutoCloseable {

    @Override
    void close();
  }

  public Held hold() {
    return hold(lock);
  }

  /// The same for another kind of lock.
  public static Held hold(Lock lock) {
    lock.lock();
    return lock::unlock;
  }

  /// @throws InterruptedException when this thread is interrupted while it waits for the lock
  public Held holdInterruptibly() throws InterruptedException {
    lock.lockInterruptibly();
    return lock::unlock;
  }

  /// @return empty when another thread holds the lock
  public Optional<Held> tryHold() {
    return lock.tryLock() ? Optional.of(lock::unlock) : Optional.empty();
  }

  /// Whether this thread holds it.
  public boolean isHeld() {
    return lock.isHeldByCurrentThread();
  }

  public Condition newCondition() {
    return lock.newCondition();
  }
}
