package dev.agentmemory.search.workspace;

import dev.agentmemory.search.SearchIndex;
import dev.agentmemory.spi.Job;
import dev.agentmemory.spi.Sleeper;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.time.Duration;
import java.util.Map;

/// Makes the search index anew from the log, beside everything else that goes on: while events pour
/// in it rests.
final class IndexRebuild implements Job.Body {

  /// The job's name.
  static final String NAME = "index_rebuild";

  /// What it reports: how many events went into the index.
  static final String EVENTS = "events";

  /// An index that has so many entries to catch up with has the disk and the cores to itself.
  private static final int RUSH = 1024;

  private static final String STOPPED =
      "the rebuild of the search index was stopped before it finished";

  private static final Duration REST = Duration.ofMillis(50);
  private static final int MOST_RESTS = 20;

  private final MemoryStore store;
  private final IndexPlace place;
  private final Sleeper sleeper;
  private final Runnable done;
  private volatile boolean stopping;

  /// @param done is run after each rebuild: there may be events without a vector
  IndexRebuild(MemoryStore store, IndexPlace place, Sleeper sleeper, Runnable done) {
    this.store = store;
    this.place = place;
    this.sleeper = sleeper;
    this.done = done;
  }

  /// By itself only when something is missing.
  @Override
  public Map<String, String> run() {
    return place.get().owesRebuild() ? runOnRequest() : Map.of(EVENTS, "0");
  }

  @Override
  public Map<String, String> runOnRequest() {
    SearchIndex index = place.get();
    long events = index.rebuild(() -> between(index));
    done.run();
    return Map.of(EVENTS, Long.toString(events));
  }

  /// Rests a second at most: an index that does not get on may need this very rebuild.
  private void between(SearchIndex index) {
    goOn();
    for (int rests = 0; rests < MOST_RESTS && isRush(index); rests++) {
      sleeper.sleep(REST, STOPPED);
      goOn();
    }
  }

  private void goOn() {
    if (stopping || Thread.currentThread().isInterrupted()) {
      throw new MemoryException(ErrorCode.CLOSED, STOPPED);
    }
  }

  private boolean isRush(SearchIndex index) {
    return store.outbox().head() - index.cursor() > RUSH;
  }

  /// Ends a run that goes on, and every later one.
  void stop() {
    stopping = true;
  }
}
