package dev.agentmemory.search.internal.index;

import dev.agentmemory.spi.Ticker;
import java.time.Duration;

/// How much was written to an index that is not visible or not durable yet, and since when. Only
/// what concerns visibility may be called without the lock of [ActiveGenerations].
public final class PendingChanges {

  /// How long what was written may stay invisible.
  public static final Duration REFRESH = Duration.ofMillis(500);

  /// How long what was written may stay undurable.
  public static final Duration COMMIT = Duration.ofSeconds(5);

  /// Documents between two commits at most.
  private static final int COMMIT_DOCUMENTS = 20_000;

  private static final long NONE = Long.MIN_VALUE;

  private final Ticker ticker;
  private volatile long unseenSince = NONE;
  private long undurableSince = NONE;
  private int undurable;

  /// @param ticker a clock that only goes forward, in nanoseconds
  PendingChanges(Ticker ticker) {
    this.ticker = ticker;
  }

  void add(int documents) {
    long now = ticker.nanos();
    unseenSince = unseenSince == NONE ? now : unseenSince;
    undurableSince = undurableSince == NONE ? now : undurableSince;
    undurable += documents;
  }

  void refreshed() {
    unseenSince = NONE;
  }

  void committed() {
    undurable = 0;
    undurableSince = NONE;
  }

  boolean isUnseen() {
    return unseenSince != NONE;
  }

  boolean isRefreshDue() {
    return isOver(unseenSince, REFRESH);
  }

  boolean isCommitDue() {
    return undurable >= COMMIT_DOCUMENTS || isOver(undurableSince, COMMIT);
  }

  private boolean isOver(long since, Duration time) {
    return since != NONE && ticker.nanos() - since >= time.toNanos();
  }
}
