package dev.agentmemory.service.internal.share;

import java.util.concurrent.atomic.AtomicLong;

/// Bounds the bytes of events that came over streams and are not stored yet, of each client and of
/// all together. A stream beyond it reads no further message, so the bound is exceeded by one
/// message of each stream at most.
public final class StreamBudget {

  private final long clientBytes;
  private final long bytes;
  private final AtomicLong all = new AtomicLong();

  public StreamBudget(long clientBytes, long bytes) {
    this.clientBytes = clientBytes;
    this.bytes = bytes;
  }

  /// What one stream takes. One thread at a time uses it.
  public final class Share {

    private final CallClient client;
    private long taken;

    Share(CallClient client) {
      this.client = client;
    }

    /// @param amount negative to give back
    public void take(long amount) {
      taken += amount;
      client.streamBytes.addAndGet(amount);
      all.addAndGet(amount);
    }

    /// Gives everything back.
    public void end() {
      take(-taken);
    }

    public boolean hasRoom() {
      return client.streamBytes.get() < clientBytes && all.get() < bytes;
    }
  }

  /// A share of the client whose call begins on this thread.
  public Share share() {
    return new Share(CallClient.current());
  }
}
