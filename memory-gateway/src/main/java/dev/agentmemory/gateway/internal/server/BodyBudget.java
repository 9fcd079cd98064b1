package dev.agentmemory.gateway.internal.server;

import java.util.concurrent.atomic.AtomicLong;

/// Bounds the bytes of the bodies that are in memory at the same time, of all requests together.
/// Each route bounds its own bodies only.
final class BodyBudget {

  private final long mostBytes;
  private final AtomicLong used = new AtomicLong();

  BodyBudget(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /// What one request takes, for one thread at a time.
  final class Share implements AutoCloseable {

    private final AtomicLong taken = new AtomicLong();

    /// @return false when there is no room for them; they are not counted then
    boolean add(int bytes) {
      if (used.addAndGet(bytes) > mostBytes) {
        used.addAndGet(-bytes);
        return false;
      }
      taken.addAndGet(bytes);
      return true;
    }

    @Override
    public void close() {
      used.addAndGet(-taken.getAndSet(0));
    }
  }
}
