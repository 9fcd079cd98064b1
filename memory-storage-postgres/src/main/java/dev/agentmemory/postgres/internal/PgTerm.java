package dev.agentmemory.postgres.internal;

import dev.agentmemory.spi.Ticker;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.time.Duration;

/// A time in which a daemon lives for the others: from its registration until one of them finds
/// that it has not renewed its lease. It ends once; another term has another incarnation.
final class PgTerm {

  private static final long NANOS_A_SECOND = 1_000_000_000L;

  private final String daemon;
  private final long incarnation;
  private final Ticker ticker;
  private final long nanos;
  private volatile long renewed;
  private volatile boolean over;

  /// @param asked when the registration was asked for: the database's clock cannot have counted
  ///   from an earlier moment
  PgTerm(String daemon, long incarnation, Ticker ticker, Duration lease, long asked) {
    this.daemon = daemon;
    this.incarnation = incarnation;
    this.ticker = ticker;
    // The last third is for clocks that do not run alike, and for what is on its way.
    this.nanos = lease.toNanos() / 3 * 2;
    this.renewed = asked;
  }

  String daemon() {
    return daemon;
  }

  long incarnation() {
    return incarnation;
  }

  /// The lease was renewed.
  ///
  /// @param asked when that was asked for
  void renewed(long asked) {
    renewed = asked;
  }

  void end() {
    over = true;
  }

  boolean isOver() {
    return over;
  }

  /// Whether nobody else can have taken over anything. Known without the database.
  boolean isCertain() {
    return !over && ticker.nanos() - renewed < nanos;
  }

  /// @throws MemoryException `NOT_OWNER` when the term is over, `STORAGE_FAILED` when that is
  ///   uncertain
  void check() {
    if (over) {
      throw new MemoryException(
          ErrorCode.NOT_OWNER,
          "other daemons may have taken over what this one had: it did not reach the database for"
              + " longer than cluster.lease; send the request again");
    }
    if (!isCertain()) {
      throw new MemoryException(
          ErrorCode.STORAGE_FAILED,
          "the database was not reached for %d s, so that another daemon may own the workspace; check that the database runs and can be reached"
              .formatted((ticker.nanos() - renewed) / NANOS_A_SECOND));
    }
  }
}
