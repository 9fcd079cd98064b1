package dev.agentmemory.search;

import dev.agentmemory.store.EventSlice;
import dev.agentmemory.store.OutboxEntry;
import dev.agentmemory.store.SearchReport;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.AlreadyClosedException;
import org.jspecify.annotations.Nullable;

/// The index of one store. It follows the outbox; its cursor is part of its own commits, so both
/// move together: after a crash the entries behind the last commit come again and change nothing.
///
/// Any thread may call any method. What is applied is found after the next [#tend], at the latest
/// when [#REFRESH] is over and somebody searches; it is durable some seconds later.
///
/// An index that is missing, damaged or of an older form is started anew, serves what it has and
/// [#owesRebuild]. A rebuild of a whole index goes on beside it; both follow the outbox meanwhile.
public final class SearchIndex implements AutoCloseable {

  /// How long what was applied may stay unseen.
  static final Duration REFRESH = Duration.ofMillis(500);

  /// How long what was applied may stay undurable.
  static final Duration COMMIT = Duration.ofSeconds(5);

  /// Events between two commits at most.
  static final int COMMIT_EVENTS = 20_000;

  /// Weight of the events of one batch, by [Event#chars].
  private static final long BATCH_CHARS = 4_000_000;

  /// Events of one step of a rebuild.
  private static final int STEP = 500;

  private final Sources sources;
  private final LongSupplier nanos;
  private final Generations folders;
  private final EventDocuments documents;
  private final SummaryFeed summaries;
  private final ReentrantLock writing = new ReentrantLock();

  private volatile Generation current;
  private volatile @Nullable Generation building;
  private volatile long durable;
  private volatile double rebuilt = Double.NaN;
  private volatile long unseenSince = NONE;
  private long undurableSince = NONE;
  private int undurable;

  private static final long NONE = Long.MIN_VALUE;

  private SearchIndex(Path home, Sources sources, LongSupplier nanos) {
    this.sources = sources;
    this.nanos = nanos;
    this.folders = new Generations(home, new Analysis());
    this.documents = new EventDocuments(new DateWords(sources.zone()));
    this.summaries = new SummaryFeed(sources);
    this.current = folders.open(sources.zone().getId()).orElseGet(this::started);
    this.durable = current.cursor();
  }

  /// Opens the index in a folder, or starts one there.
  ///
  /// @param nanos a clock that only goes forward, in nanoseconds
  /// @throws dev.agentmemory.types.MemoryException `CONFLICT` when another process uses it,
  ///   `STORAGE_FAILED` when the folder cannot be used at all
  public static SearchIndex open(Path home, Sources sources, LongSupplier nanos) {
    return new SearchIndex(home, sources, nanos);
  }

  /// An empty index. Entries up to the outbox's head may be trimmed already: they are in the log.
  private Generation started() {
    long head = sources.outbox().outboxHead();
    Generation made = folders.next(sources.zone().getId());
    made.cursor(head);
    if (head == 0) {
      made.complete();
    }
    made.commit();
    return made;
  }

  /// Sequence of the last entry that was applied; go on behind it.
  public long cursor() {
    return current.cursor();
  }

  /// Sequence of the last entry whose effect a crash cannot undo: entries up to here may be
  /// trimmed.
  public long durableCursor() {
    return durable;
  }

  /// Applies entries behind the cursor. Entries that come again change nothing.
  ///
  /// @param entries ascending, not empty
  /// @return how many were applied, the first ones, at least one: all, unless the events are too
  ///   heavy to be held at once
  public int apply(List<OutboxEntry> entries) {
    EventSlice slice =
        sources.events().events(entries.stream().map(OutboxEntry::event).toList(), BATCH_CHARS);
    long last = entries.get(slice.keys() - 1).sequence();
    writing.lock();
    try {
      slice.events().forEach(event -> put(event, Optional.empty()));
      for (Generation generation : generations()) {
        generation.cursor(Math.max(generation.cursor(), last));
      }
      slice.events().forEach(event -> summaries.touch(event.timestamp()));
      changed(slice.events().size());
    } finally {
      writing.unlock();
    }
    tend();
    return slice.keys();
  }

  private List<Generation> generations() {
    Generation other = building;
    return other == null ? List.of(current) : List.of(current, other);
  }

  private void put(Event event, Optional<EventDocuments.Vector> vector) {
    for (Generation generation : generations()) {
      generation.put(EventDocuments.term(event.id().value()), documents.of(event, vector));
    }
  }

  private void changed(int count) {
    long now = nanos.getAsLong();
    unseenSince = unseenSince == NONE ? now : unseenSince;
    undurableSince = undurableSince == NONE ? now : undurableSince;
    undurable += count;
  }

  /// Makes visible and durable what is due. To be called about twice a second, also when there is
  /// nothing to apply.
  public void tend() {
    refreshIfDue();
    writing.lock();
    try {
      boolean due = undurableSince != NONE && passed(undurableSince, COMMIT);
      if (due || undurable >= COMMIT_EVENTS) {
        commit();
      }
    } finally {
      writing.unlock();
    }
  }

  private boolean passed(long since, Duration time) {
    return nanos.getAsLong() - since >= time.toNanos();
  }

  private void refreshIfDue() {
    long since = unseenSince;
    if (since != NONE && passed(since, REFRESH)) {
      refresh();
    }
  }

  /// Makes everything that was applied visible at once.
  public void refresh() {
    unseenSince = NONE;
    current.refresh();
  }

  /// Makes everything that was applied durable at once.
  public void commit() {
    writing.lock();
    try {
      long reached = current.cursor();
      current.commit();
      durable = reached;
      undurable = 0;
      undurableSince = NONE;
    } finally {
      writing.unlock();
    }
  }

  /// Brings documents of the table of contents in line with it: first of the days of events that
  /// were applied lately, then of some more nodes, each call going on where the last one ended.
  ///
  /// @param limit nodes to look at beyond those of the days, 1 and up
  /// @return how many documents were written or taken away
  public int followSummaries(int limit) {
    int count = 0;
    for (SummaryFeed.Step step : summaries.steps(limit)) {
      writing.lock();
      try {
        int written = 0;
        for (Generation generation : generations()) {
          written = generation.read(searcher -> step.run(generation, searcher));
        }
        if (written > 0) {
          changed(written);
        }
        count += written;
      } finally {
        writing.unlock();
      }
    }
    refreshIfDue();
    return count;
  }

  /// Gives some events without a vector of this model one, the latest events first.
  ///
  /// @param limit texts that go to the model at once, 1 and up
  /// @return how many events were looked at; 0 when every event has one
  /// @throws dev.agentmemory.types.MemoryException as the model throws it; nothing was changed then
  public int embed(Embedder embedder, int limit) {
    String field = EventDocuments.Vector.field(embedder);
    if (unseenSince != NONE) {
      refresh();
    }
    List<EventKey> keys = read(searcher -> Vectors.missing(searcher, field, limit));
    List<Event> events = sources.events().events(keys);
    List<float[]> vectors =
        events.isEmpty()
            ? List.of()
            : embedder.documents(events.stream().map(Speakers::spoken).toList());
    writing.lock();
    try {
      List<String> gone = new ArrayList<>(keys.stream().map(key -> key.id().value()).toList());
      for (int i = 0; i < events.size(); i++) {
        put(events.get(i), Optional.of(new EventDocuments.Vector(field, vectors.get(i))));
        gone.remove(events.get(i).id().value());
      }
      for (String uid : gone) {
        generations().forEach(generation -> generation.delete(EventDocuments.term(uid)));
      }
      changed(keys.size());
    } finally {
      writing.unlock();
    }
    if (!keys.isEmpty()) {
      refresh();
    }
    return keys.size();
  }

  /// Whether the index does not hold the whole log yet, because it was missing, damaged or old.
  public boolean owesRebuild() {
    return !current.isComplete();
  }

  /// Makes the index anew from the log while the old one serves; an index that [#owesRebuild] is
  /// filled up instead and serves what it has. Vectors that are there are kept.
  ///
  /// @param between run after every few hundred events on the calling thread; it may rest, and what
  ///   it throws ends the rebuild and leaves the old index
  public void rebuild(Runnable between) {
    Generation target = begin();
    try {
      fill(target, between);
      finish(target);
    } catch (RuntimeException | Error e) {
      abandon(target);
      throw e;
    } finally {
      rebuilt = Double.NaN;
    }
  }

  private Generation begin() {
    writing.lock();
    try {
      if (!Double.isNaN(rebuilt)) {
        throw new IllegalStateException("a rebuild runs already");
      }
      rebuilt = 0;
      if (owesRebuild()) {
        return current;
      }
      Generation made = folders.next(sources.zone().getId());
      made.cursor(current.cursor());
      building = made;
      return made;
    } finally {
      writing.unlock();
    }
  }

  private void fill(Generation target, Runnable between) {
    Instant end = Instant.ofEpochMilli(Long.MAX_VALUE);
    Instant latest = read(Vectors::latest);
    Optional<Instant> earliest = Optional.empty();
    Optional<EventKey> after = Optional.empty();
    while (true) {
      List<EventKey> keys = sources.events().eventKeys(Instant.EPOCH, end, after, STEP);
      if (keys.isEmpty()) {
        return;
      }
      for (int from = 0; from < keys.size(); ) {
        List<EventKey> rest = keys.subList(from, keys.size());
        EventSlice slice = sources.events().events(rest, BATCH_CHARS);
        copy(target, slice.events());
        from += slice.keys();
      }
      Instant first = earliest.orElse(keys.getFirst().timestamp());
      earliest = Optional.of(first);
      after = Optional.of(keys.getLast());
      rebuilt = share(first, keys.getLast().timestamp(), latest);
      between.run();
    }
  }

  /// How much of the time that the log spans is done: a figure that costs no counting.
  private static double share(Instant first, Instant reached, Instant latest) {
    double all = Math.max(1, Duration.between(first, latest).toMillis());
    return Math.clamp(Duration.between(first, reached).toMillis() / all, 0, 1);
  }

  private void copy(Generation target, List<Event> events) {
    writing.lock();
    try {
      Map<String, EventDocuments.Vector> kept =
          target == current
              ? new HashMap<>()
              : read(searcher -> Vectors.of(searcher, events.stream().map(Event::id).toList()));
      for (Event event : events) {
        target.put(
            EventDocuments.term(event.id().value()),
            documents.of(event, Optional.ofNullable(kept.get(event.id().value()))));
      }
      if (target == current) {
        changed(events.size());
      }
    } finally {
      writing.unlock();
    }
    tend();
  }

  private void finish(Generation target) {
    summaries.forget();
    writing.lock();
    try {
      target.complete();
      target.commit();
      target.refresh();
      Generation old = current;
      current = target;
      building = null;
      durable = target.cursor();
      if (old != target) {
        old.close();
        folders.keepNewest();
      }
    } finally {
      writing.unlock();
    }
  }

  private void abandon(Generation target) {
    writing.lock();
    try {
      if (target != current) {
        building = null;
        target.close();
      }
    } finally {
      writing.unlock();
    }
  }

  /// How the index is now. Counts take a moment.
  ///
  /// @param embedder whose vectors to count
  public SearchReport status(Optional<Embedder> embedder) {
    return read(searcher -> {
      long vectors =
          embedder.isEmpty()
              ? 0
              : searcher.count(new FieldExistsQuery(EventDocuments.Vector.field(embedder.get())));
      double progress = rebuilt;
      long spoken = searcher.count(new TermQuery(new Term(Fields.SPOKEN, EventDocuments.SPOKEN)));
      return new SearchReport(
          Math.max(0, sources.outbox().outboxHead() - cursor()),
          count(searcher, EventDocuments.KIND),
          count(searcher, NodeDocuments.SEGMENT) + count(searcher, NodeDocuments.ROLLUP),
          vectors,
          embedder.isEmpty() ? 0 : spoken - vectors,
          embedder.map(Embedder::model),
          current.bytes(),
          Double.isNaN(progress) ? Optional.empty() : Optional.of(progress),
          current.isComplete(),
          Optional.empty());
    });
  }

  private static long count(IndexSearcher searcher, String kind) throws IOException {
    return searcher.count(new TermQuery(new Term(Fields.KIND, kind)));
  }

  /// Reads what is visible, after making visible what is overdue.
  <T> T read(Generation.Reading<T> reading) {
    refreshIfDue();
    while (true) {
      Generation seen = current;
      try {
        return seen.read(reading);
      } catch (AlreadyClosedException replaced) {
        if (seen == current) {
          throw replaced;
        }
      }
    }
  }

  /// Where the event stands, by its id in the index.
  static EventKey key(long time, String uid) {
    return new EventKey(Instant.ofEpochMilli(time), new EventId(uid));
  }

  /// Closes as a crash would: what was not committed is lost.
  void abandon() {
    writing.lock();
    try {
      Generation unfinished = building;
      if (unfinished != null) {
        unfinished.close();
        building = null;
      }
      current.close();
    } finally {
      writing.unlock();
    }
  }

  /// Makes everything durable and closes.
  @Override
  public void close() {
    writing.lock();
    try {
      commit();
      abandon();
    } finally {
      writing.unlock();
    }
  }
}
