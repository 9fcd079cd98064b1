package dev.agentmemory.search;

import dev.agentmemory.api.SearchReport;
import dev.agentmemory.search.embed.Embedder;
import dev.agentmemory.search.internal.index.EventDocuments;
import dev.agentmemory.search.internal.index.Fields;
import dev.agentmemory.search.internal.index.Generation;
import dev.agentmemory.search.internal.index.Generations;
import dev.agentmemory.search.internal.index.NodeDocuments;
import dev.agentmemory.search.internal.rank.Vectors;
import dev.agentmemory.search.internal.text.Analysis;
import dev.agentmemory.search.internal.time.DateWords;
import dev.agentmemory.store.EventSlice;
import dev.agentmemory.store.OutboxEntry;
import dev.agentmemory.text.Speakers;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.lucene.index.Term;
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

  private volatile @Nullable Share share;

  private static final long NONE = Long.MIN_VALUE;

  /// What part of the events has a vector.
  ///
  /// @param reader stands for what was visible then
  private record Share(Object reader, String field, double value) {}

  private SearchIndex(Path home, Sources sources, LongSupplier nanos) {
    this.sources = sources;
    this.nanos = nanos;
    this.folders = new Generations(home, new Analysis());
    this.documents = new EventDocuments(new DateWords(sources.zone()));
    this.summaries = new SummaryFeed(sources);
    this.current = opened();
    this.durable = current.cursor();
  }

  private Generation opened() {
    Optional<Generation> found = folders.open(sources.zone().getId());
    if (found.isEmpty()) {
      return started();
    }
    Generation there = found.get();
    if (isOfAnotherLog(there)) {
      there.close();
      return replaced();
    }
    if (misses(there)) {
      there.incomplete();
    }
    return there;
  }

  /// An empty index in the place of one that is of no use.
  private Generation replaced() {
    Generation made = started();
    folders.keepNewest();
    return made;
  }

  /// Whether it is of a store that was here before, or of events that a crash has taken back.
  private boolean isOfAnotherLog(Generation there) {
    return there.cursor() > sources.outbox().head()
        || there.read(Vectors::latest).filter(this::isUnknown).isPresent();
  }

  private boolean isUnknown(EventId id) {
    try {
      return sources.events().event(id).isEmpty();
    } catch (MemoryException e) {
      if (e.code() == ErrorCode.CORRUPT_RECORD) {
        // It is there, which is all that was asked.
        return false;
      }
      throw e;
    }
  }

  /// Whether entries behind its cursor are gone: somebody has trimmed them without it.
  private boolean misses(Generation there) {
    List<OutboxEntry> next = sources.outbox().entries(there.cursor(), 1);
    return next.isEmpty()
        ? there.cursor() < sources.outbox().head()
        : next.getFirst().sequence() > there.cursor() + 1;
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
    long head = sources.outbox().head();
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
  /// @throws dev.agentmemory.types.MemoryException `STORAGE_FAILED` when the index cannot be
  ///   written now; [#cursor] says where to go on, perhaps further back. `CORRUPT_RECORD` when an
  ///   event cannot be read
  public int apply(List<OutboxEntry> entries) {
    EventSlice slice =
        sources.events().events(entries.stream().map(OutboxEntry::event).toList(), BATCH_CHARS);
    List<OutboxEntry> taken = entries.subList(0, slice.keys());
    if (slice.events().size() < taken.size()) {
      refuseUnreadable(taken, slice.events());
    }
    writing.lock();
    try {
      mend();
      if (!follows(taken.getFirst())) {
        throw new MemoryException(
            ErrorCode.STORAGE_FAILED,
            "the search index could not be written and goes on from its last commit");
      }
      slice.events().forEach(event -> put(event, Optional.empty()));
      reached(taken.getLast().sequence());
      changed(slice.events().size());
    } finally {
      writing.unlock();
    }
    tend();
    return slice.keys();
  }

  /// Lists leave out what they cannot read; asked for alone it says so.
  private void refuseUnreadable(List<OutboxEntry> entries, List<Event> read) {
    Set<EventKey> there = read.stream().map(Event::key).collect(Collectors.toSet());
    entries.stream()
        .map(OutboxEntry::event)
        .filter(key -> !there.contains(key))
        .forEach(key -> sources.events().event(key.id()));
  }

  /// Whether the cursor has not fallen back since the caller asked for it.
  private boolean follows(OutboxEntry first) {
    return first.sequence() <= cursor() + 1
        || sources.outbox().entries(cursor(), 1).stream()
            .allMatch(next -> next.sequence() >= first.sequence());
  }

  /// Applies one entry that was given up before; the cursor stays.
  ///
  /// @throws dev.agentmemory.types.MemoryException as [#apply] does
  public void retry(OutboxEntry entry) {
    Optional<Event> event = sources.events().event(entry.event().id());
    writing.lock();
    try {
      mend();
      event.ifPresent(there -> {
        put(there, Optional.empty());
        changed(1);
      });
    } finally {
      writing.unlock();
    }
  }

  /// Goes on behind entries that cannot be applied.
  ///
  /// @param through sequence of the last one
  public void passOver(long through) {
    writing.lock();
    try {
      mend();
      reached(through);
      changed(1);
    } finally {
      writing.unlock();
    }
  }

  private void reached(long sequence) {
    for (Generation generation : generations()) {
      generation.cursor(Math.max(generation.cursor(), sequence));
    }
  }

  /// A writer that has closed itself, or found damage, is replaced. Under the lock. As long as that
  /// fails, too, what was visible can still be read.
  private void mend() {
    if (current.isOpen() && !current.isDamaged()) {
      return;
    }
    if (current.isDamaged() && building != null) {
      // The rebuild that goes on takes its place.
      return;
    }
    Generation broken = current;
    Optional<Generation> again = folders.reopen(broken);
    current = again.orElseGet(this::started);
    broken.close();
    if (again.isEmpty()) {
      folders.keepNewest();
    }
    durable = current.cursor();
    undurable = 0;
    undurableSince = NONE;
    unseenSince = NONE;
    summaries.allChanged();
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

  /// Makes visible and durable what is due. To be called about once a second, also when there is
  /// nothing to apply.
  ///
  /// @return whether something that was applied is still unseen
  public boolean tend() {
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
    return unseenSince != NONE;
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

  /// Links the files of the index into a new folder, with everything that was applied. Put into a
  /// folder named by a number in an index's home they are that index again.
  ///
  /// @param folder must not exist, its parent must
  /// @throws dev.agentmemory.types.MemoryException `STORAGE_FAILED` when the index cannot be
  ///   written or read now
  public void checkpoint(Path folder) {
    writing.lock();
    try {
      mend();
      commit();
      current.linkInto(folder);
    } finally {
      writing.unlock();
    }
  }

  /// Makes everything that was applied visible at once.
  public void refresh() {
    unseenSince = NONE;
    Generation seen = current;
    try {
      seen.refresh();
    } catch (MemoryException e) {
      if (seen == current) {
        throw e;
      }
    }
  }

  /// Makes everything that was applied durable at once.
  public void commit() {
    writing.lock();
    try {
      mend();
      long reached = current.cursor();
      current.commit();
      durable = reached;
      undurable = 0;
      undurableSince = NONE;
    } finally {
      writing.unlock();
    }
  }

  /// Nodes of the table of contents were written or retired.
  public void nodesChanged(Collection<NodeId> nodes) {
    summaries.changed(nodes);
  }

  /// Whether [#followSummaries] may find something.
  public boolean summariesDue() {
    return summaries.isDue();
  }

  /// Brings documents of the table of contents in line with it: of nodes that were written, and in
  /// the time after the index was opened of all the others, each call going on where the last one
  /// ended.
  ///
  /// @param limit nodes that were written, and nodes of each level of the others; 1 and up
  /// @return how many documents were written or taken away
  public int followSummaries(int limit) {
    if (summaries.isRound() && unseenSince != NONE) {
      refresh();
    }
    List<SummaryFeed.Step> steps = summaries.steps(limit);
    try {
      return steps.stream().mapToInt(this::follow).sum();
    } catch (RuntimeException | Error e) {
      summaries.allChanged();
      throw e;
    }
  }

  private int follow(SummaryFeed.Step step) {
    writing.lock();
    try {
      mend();
      int written = current.read(searcher -> step.run(current, searcher));
      Generation other = building;
      if (other != null) {
        other.read(searcher -> step.run(other, searcher));
      }
      if (written > 0) {
        changed(written);
      }
      return written;
    } finally {
      writing.unlock();
    }
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
      mend();
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

  /// Whether a rebuild goes on.
  public boolean isRebuilding() {
    return !Double.isNaN(rebuilt);
  }

  /// Something of the log is missing in it, and nobody knows what: it [#owesRebuild] from now on.
  public void oweRebuild() {
    writing.lock();
    try {
      current.incomplete();
      changed(1);
    } finally {
      writing.unlock();
    }
  }

  /// Makes the index anew from the log while the old one serves; an index that [#owesRebuild] is
  /// filled up instead and serves what it has. Vectors that are there are kept.
  ///
  /// @param between run after every few hundred events on the calling thread; it may rest, and what
  ///   it throws ends the rebuild and leaves the old index
  /// @return events that were read
  /// @throws dev.agentmemory.types.MemoryException `CONFLICT` when a rebuild goes on already,
  ///   `STORAGE_FAILED` when the index cannot be written
  public long rebuild(Runnable between) {
    Generation target = begin();
    try {
      long events = fill(target, between);
      fillSummaries(target, between);
      finish(target);
      return events;
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
      if (isRebuilding()) {
        throw new MemoryException(
            ErrorCode.CONFLICT,
            "a rebuild of the search index is already running; wait until it has finished");
      }
      mend();
      if (owesRebuild()) {
        rebuilt = 0;
        return current;
      }
      Generation made = folders.next(sources.zone().getId());
      made.cursor(current.cursor());
      building = made;
      rebuilt = 0;
      return made;
    } finally {
      writing.unlock();
    }
  }

  private long fill(Generation target, Runnable between) {
    Instant end = Instant.ofEpochMilli(Long.MAX_VALUE);
    Optional<EventKey> after = Optional.empty();
    long events = 0;
    while (true) {
      List<EventKey> keys = sources.events().eventKeys(Instant.EPOCH, end, after, STEP);
      if (keys.isEmpty()) {
        return events;
      }
      for (int from = 0; from < keys.size(); ) {
        List<EventKey> rest = keys.subList(from, keys.size());
        EventSlice slice = sources.events().events(rest, BATCH_CHARS);
        copy(target, slice.events());
        events += slice.events().size();
        from += slice.keys();
      }
      after = Optional.of(keys.getLast());
      // Every event has had one entry.
      rebuilt = Math.min(1, (double) events / Math.max(1, sources.outbox().head()));
      between.run();
    }
  }

  private void fillSummaries(Generation target, Runnable between) {
    var round = new SummaryFeed(sources);
    do {
      for (SummaryFeed.Step step : round.steps(STEP)) {
        writing.lock();
        try {
          target.read(searcher -> step.run(target, searcher));
        } finally {
          writing.unlock();
        }
      }
      between.run();
    } while (round.isRound());
  }

  private void copy(Generation target, List<Event> events) {
    writing.lock();
    try {
      Map<String, EventDocuments.Vector> kept =
          read(searcher -> Vectors.of(searcher, events.stream().map(Event::id).toList()));
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
    Optional<String> field = Optional.empty();
    Optional<String> unknown = Optional.empty();
    try {
      field = embedder.map(EventDocuments.Vector::field);
    } catch (MemoryException e) {
      // A server that has never answered: nobody knows how long its vectors are.
      unknown = Optional.ofNullable(e.getMessage());
    }
    Optional<String> having = field;
    Optional<String> waitsFor = unknown;
    return read(searcher -> {
      long vectors = having.isEmpty() ? 0 : Vectors.count(searcher, having.get());
      double progress = rebuilt;
      long spoken = Vectors.spoken(searcher);
      return new SearchReport(
          Math.max(0, sources.outbox().head() - cursor()),
          count(searcher, EventDocuments.KIND),
          count(searcher, NodeDocuments.SEGMENT) + count(searcher, NodeDocuments.ROLLUP),
          vectors,
          embedder.isEmpty() ? 0 : Math.max(0, spoken - vectors),
          embedder.map(Embedder::model),
          current.bytes(),
          Double.isNaN(progress) ? Optional.empty() : Optional.of(progress),
          current.isComplete(),
          waitsFor);
    });
  }

  /// What part of the events with text has a vector in a field, 0 to 1. Counting takes a moment, so
  /// it is done once for what is visible.
  double share(String field) {
    return read(searcher -> {
      Object reader = searcher.getIndexReader().getReaderCacheHelper().getKey();
      Share known = share;
      if (known == null || !known.reader().equals(reader) || !known.field().equals(field)) {
        int spoken = Vectors.spoken(searcher);
        double value = spoken == 0 ? 1 : (double) Vectors.count(searcher, field) / spoken;
        known = new Share(reader, field, value);
        share = known;
      }
      return known.value();
    });
  }

  private static long count(IndexSearcher searcher, String kind) throws IOException {
    return searcher.count(new TermQuery(new Term(Fields.KIND, kind)));
  }

  /// Reads what is visible, after making visible what is overdue, if that can be done.
  <T> T read(Generation.Reading<T> reading) {
    if (current.isOpen()) {
      refreshIfDue();
    }
    while (true) {
      Generation seen = current;
      try {
        return seen.read(reading);
      } catch (AlreadyClosedException e) {
        if (seen == current) {
          throw new MemoryException(ErrorCode.CLOSED, "the search index is closed", e);
        }
      }
    }
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
    } finally {
      abandon();
      writing.unlock();
    }
  }
}
