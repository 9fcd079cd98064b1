package dev.agentmemory.search;

import dev.agentmemory.search.internal.index.ActiveGenerations;
import dev.agentmemory.search.internal.index.EventDocuments;
import dev.agentmemory.search.internal.index.EventSlices;
import dev.agentmemory.search.internal.index.Generation;
import dev.agentmemory.search.internal.index.IndexView;
import dev.agentmemory.search.internal.index.Vectors;
import dev.agentmemory.store.EventReader;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.MemoryException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/// Rebuilds an index from the log while the old one serves. One rebuild runs at a time.
final class Reindexing {

  /// Events of one step.
  private static final int STEP = 500;

  private final Sources sources;
  private final ActiveGenerations generations;
  private final IndexView view;
  private final EventDocuments documents;
  private final AtomicBoolean running = new AtomicBoolean();
  private volatile double done;

  Reindexing(
      Sources sources, ActiveGenerations generations, IndexView view, EventDocuments documents) {
    this.sources = sources;
    this.generations = generations;
    this.view = view;
    this.documents = documents;
  }

  boolean isRunning() {
    return running.get();
  }

  /// How much of a rebuild that runs is done, 0 to 1.
  Optional<Double> progress() {
    return isRunning() ? Optional.of(done) : Optional.empty();
  }

  /// @param between is run after each step
  /// @return events that were read
  long run(Runnable between) {
    if (!running.compareAndSet(false, true)) {
      throw new MemoryException(
          ErrorCode.CONFLICT,
          "a rebuild of the search index is already running; wait until it has finished");
    }
    try {
      return rebuild(generations.beginRebuild(), between);
    } finally {
      done = 0;
      running.set(false);
    }
  }

  private long rebuild(Generation target, Runnable between) {
    try {
      long events = fillEvents(target, between);
      fillSummaries(target, between);
      generations.finishRebuild(target);
      return events;
    } catch (RuntimeException | Error e) {
      generations.abandonRebuild(target);
      throw e;
    }
  }

  private long fillEvents(Generation target, Runnable between) {
    EventReader log = sources.events();
    Instant end = Instant.ofEpochMilli(Long.MAX_VALUE);
    Optional<EventKey> after = Optional.empty();
    long events = 0;
    while (true) {
      List<EventKey> keys = log.eventKeys(Instant.EPOCH, end, after, STEP);
      if (keys.isEmpty()) {
        return events;
      }
      events +=
          EventSlices.read(log, keys, slice -> generations.fill(target, _ -> put(target, slice)));
      after = Optional.of(keys.getLast());
      // Every event has had one entry.
      done = Math.min(1, (double) events / Math.max(1, sources.outbox().head()));
      between.run();
    }
  }

  private int put(Generation target, List<Event> events) {
    Map<String, Long> texts =
        events.stream()
            .collect(Collectors.toMap(event -> event.id().value(), EventDocuments::fingerprint));
    Map<String, EventDocuments.Vector> kept =
        view.read(searcher -> Vectors.ofTexts(searcher, texts));
    for (Event event : events) {
      documents.put(target, event, Optional.ofNullable(kept.get(event.id().value())));
    }
    return events.size();
  }

  private void fillSummaries(Generation target, Runnable between) {
    var round = new SummaryFeed(sources);
    do {
      round.steps(STEP).forEach(step -> generations.fill(target, step));
      between.run();
    } while (round.isRound());
  }
}
