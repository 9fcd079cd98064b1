package dev.agentmemory.service.internal.connection;

import dev.agentmemory.spi.Ticker;
import java.time.Duration;

/// How much may be read from a connection: a rate, and what is left of the second before. One
/// thread uses it.
final class ReadPace {

  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final Ticker ticker;
  private final double perNano;
  private final double most;
  private double left;
  private long at;

  /// @param perSecond also what may be read at once after a rest
  ReadPace(Ticker ticker, long perSecond) {
    this.ticker = ticker;
    this.perNano = (double) perSecond / SECOND;
    this.most = (double) perSecond;
    this.left = most;
    this.at = ticker.nanos();
  }

  /// Takes what has been read.
  ///
  /// @return how long to wait until more may be read; zero if it may be now
  Duration take(long amount) {
    long now = ticker.nanos();
    left = Math.min(most, left + (now - at) * perNano) - amount;
    at = now;
    return left >= 0 ? Duration.ZERO : Duration.ofNanos((long) (-left / perNano) + 1);
  }
}
