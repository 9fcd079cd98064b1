package dev.agentmemory.search.workspace;

import dev.agentmemory.search.SearchIndex;
import dev.agentmemory.spi.Job;
import dev.agentmemory.spi.Sleeper;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.time.Duration;
import java.util.Map;

/// Builds the search index again from the log, beside all other work. It pauses during an ingest
/// burst.
final class IndexRebuild implements Job.Body {

  /// The job's name.
  static final String NAME = "index_rebuild";

  /// What it reports: how many events went into the index.
  static final String EVENTS = "events";

  private static final String STOPPED =
      "the rebuild of the search index was stopped before it finished";

  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final int MOST_PAUSES = 20;

  private final IndexPlace place;
  private final Sleeper sleeper;
  private final Runnable done;
  private volatile boolean stopping;

  /// @param done is run after each rebuild: there may be events without a vector
  IndexRebuild(IndexPlace place, Sleeper sleeper, Runnable done) {
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
    long events = index.rebuild(this::between);
    done.run();
    return Map.of(EVENTS, Long.toString(events));
  }

  /// Pauses for a second at most: an index that cannot apply entries may need this very rebuild.
  private void between() {
    checkStop();
    for (int pauses = 0; pauses < MOST_PAUSES && place.isApplyingBurst(); pauses++) {
      sleeper.sleep(PAUSE, STOPPED);
      checkStop();
    }
  }

  private void checkStop() {
    if (stopping || Thread.currentThread().isInterrupted()) {
      throw new MemoryException(ErrorCode.CLOSED, STOPPED);
    }
  }

  /// Ends a run that goes on, and every later one.
  void stop() {
    stopping = true;
  }
}
