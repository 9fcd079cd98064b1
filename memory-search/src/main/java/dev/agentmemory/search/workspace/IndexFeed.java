package dev.agentmemory.search.workspace;

import dev.agentmemory.search.SearchIndex;
import dev.agentmemory.spi.Projection;
import dev.agentmemory.spi.Ticker;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.OutboxEntry;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// Keeps the search index consistent with the store: it follows the outbox for events, updates
/// summaries when it is notified of new ones, and requests a rebuild if something is missing.
final class IndexFeed implements Projection {

  /// The consumer's name, and that of the job that stands for its worker.
  static final String NAME = "search_projection";

  /// How often summaries are looked at while events come in.
  private static final Duration SUMMARIES = Duration.ofSeconds(1);

  /// Nodes of each level that are looked at in one turn.
  private static final int NODES = 200;

  /// When a rebuild that failed is asked for again.
  private static final Duration ASK_AGAIN = Duration.ofMinutes(1);

  private final Ticker ticker;
  private final MemoryStore store;
  private final IndexPlace place;
  private final Runnable applied;
  private final Runnable incomplete;
  private volatile Optional<String> trouble = Optional.empty();
  private long followed;
  private long asked;

  /// @param applied is run when events were applied, on the worker's thread; must be short
  /// @param incomplete the same, when the index does not hold the whole log
  IndexFeed(
      Ticker ticker, MemoryStore store, IndexPlace place, Runnable applied, Runnable incomplete) {
    this.ticker = ticker;
    this.store = store;
    this.place = place;
    this.applied = applied;
    this.incomplete = incomplete;
    this.followed = ticker.nanos() - SUMMARIES.toNanos();
    this.asked = ticker.nanos() - ASK_AGAIN.toNanos();
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public long cursor() {
    return place.get().cursor();
  }

  @Override
  public int apply(List<OutboxEntry> entries) {
    int count = watched(() -> place.get().apply(entries));
    applied.run();
    return count;
  }

  /// Why the index cannot be written now; empty while it can.
  Optional<String> trouble() {
    return trouble;
  }

  private <T> T watched(Supplier<T> work) {
    try {
      T done = work.get();
      trouble = Optional.empty();
      return done;
    } catch (MemoryException e) {
      trouble = Optional.ofNullable(e.getMessage()).filter(_ -> e.code() != ErrorCode.CLOSED);
      throw e;
    }
  }

  @Override
  public void passOver(long through) {
    place.get().passOver(through);
  }

  /// Applies an entry again that was given up.
  void retry(OutboxEntry entry) {
    place.get().retry(entry);
    applied.run();
  }

  /// Entries could not be read: only the whole log tells what they stood for.
  void passedOver() {
    place.get().oweRebuild();
  }

  @Override
  public boolean maintain() {
    return watched(this::maintained);
  }

  private boolean maintained() {
    SearchIndex index = place.get();
    boolean unseen = index.maintain();
    boolean behind = index.cursor() < store.outbox().head();
    long now = ticker.nanos();
    if (index.summariesDue() && (!behind || now - followed >= SUMMARIES.toNanos())) {
      followed = now;
      index.followSummaries(NODES);
    }
    if (index.owesRebuild() && !index.isRebuilding() && now - asked >= ASK_AGAIN.toNanos()) {
      asked = now;
      incomplete.run();
    }
    return unseen || index.summariesDue();
  }
}
