package dev.agentmemory.gateway.internal.server;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.jetty.util.NanoTime;
import org.jspecify.annotations.Nullable;

/// Bounds the bytes of the bodies that are in memory at the same time, of all requests together.
/// Each route bounds its own bodies only. Of large requests there is one at a time, because what is
/// made of one takes several times as much memory.
final class BodyBudget {

  /// Larger bodies are large.
  static final int LARGE = 1 << 20;

  /// A large body is followed by a rest, so that what is made of large bodies does not keep the
  /// collector of the heap busy.
  private static final long REST_NANOS_PER_MIB = TimeUnit.MILLISECONDS.toNanos(300);

  private final long mostBytes;
  private final boolean singly;
  private volatile long restUntil = NanoTime.now();
  private final AtomicLong used = new AtomicLong();
  private final AtomicReference<@Nullable Share> large = new AtomicReference<>();

  /// @param singly whether there is one large body at a time
  BodyBudget(long mostBytes, boolean singly) {
    this.singly = singly;
    this.mostBytes = mostBytes;
  }

  /// What one request takes, for one thread at a time.
  final class Share implements AutoCloseable {

    private final AtomicLong taken = new AtomicLong();

    /// Whether a body may be received now, as far as its length is known: nothing is taken for it
    /// yet.
    boolean canBegin(long length) {
      return !singly || length <= LARGE || isFree();
    }

    private boolean isFree() {
      return large.get() == null && NanoTime.since(restUntil) >= 0;
    }

    /// @return false when there is no room for them; they are not counted then
    boolean add(int bytes) {
      if (singly
          && taken.get() + bytes > LARGE
          && large.get() != this
          && !(isFree() && large.compareAndSet(null, this))) {
        return false;
      }
      if (used.addAndGet(bytes) > mostBytes) {
        used.addAndGet(-bytes);
        return false;
      }
      taken.addAndGet(bytes);
      return true;
    }

    @Override
    public void close() {
      long bytes = taken.getAndSet(0);
      used.addAndGet(-bytes);
      if (large.get() == this) {
        restUntil = NanoTime.now() + bytes * REST_NANOS_PER_MIB / LARGE;
        large.set(null);
      }
    }
  }
}
