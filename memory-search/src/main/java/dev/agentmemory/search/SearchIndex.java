package dev.agentmemory.search;

import dev.agentmemory.api.SearchReport;
import dev.agentmemory.search.embed.Embedder;
import dev.agentmemory.search.internal.index.ActiveGenerations;
import dev.agentmemory.search.internal.index.EventDocuments;
import dev.agentmemory.search.internal.index.EventSlices;
import dev.agentmemory.search.internal.index.Generation;
import dev.agentmemory.search.internal.index.IndexView;
import dev.agentmemory.search.internal.index.Vectors;
import dev.agentmemory.search.internal.time.DateWords;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.spi.Ticker;
import dev.agentmemory.store.EventSlice;
import dev.agentmemory.store.OutboxEntry;
import dev.agentmemory.text.Speakers;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.NodeId;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/// The index of one store. It follows the outbox; its cursor is part of its own commits, so both
/// move together: after a crash the entries behind the last commit come again and change nothing.
///
/// Any thread may call any method. Changes are visible after the next [#maintain], at the latest by
/// a search half a second later; they are durable some seconds later.
///
/// An index that is missing, damaged or of an older form is started empty, serves what it has and
/// [#owesRebuild]. A rebuild of a whole index goes on beside it; both follow the outbox meanwhile.
///
/// What an update needs is read from the store here; [ActiveGenerations] writes it, and [IndexView]
/// reads.
public final class SearchIndex implements AutoCloseable {

  /// Nodes that are followed at once before files are purged.
  private static final int PURGED_NODES = 1000;

  private final Sources sources;
  private final SummaryFeed summaries;
  private final ActiveGenerations generations;
  private final IndexView view;
  private final EventDocuments documents;
  private final Reindexing reindexing;

  /// Held while changed nodes are taken and indexed: when none is left to take, all are indexed.
  private final Mutex following = new Mutex();

  private SearchIndex(Path home, Sources sources, Ticker ticker) {
    this.sources = sources;
    this.summaries = new SummaryFeed(sources);
    this.generations =
        new ActiveGenerations(
            home,
            sources.events(),
            sources.outbox(),
            sources.zone(),
            ticker,
            summaries::allChanged);
    this.view = new IndexView(generations);
    this.documents = new EventDocuments(new DateWords(sources.zone()));
    this.reindexing = new Reindexing(sources, generations, view, documents);
  }

  /// Opens the index in a folder, or starts one there.
  ///
  /// @param ticker a clock that only goes forward, in nanoseconds
  /// @throws dev.agentmemory.types.MemoryException `CONFLICT` when another process uses it,
  ///   `STORAGE_FAILED` when the folder cannot be used at all
  public static SearchIndex open(Path home, Sources sources, Ticker ticker) {
    return new SearchIndex(home, sources, ticker);
  }

  /// What can be read of the index.
  IndexView view() {
    return view;
  }

  /// Sequence of the last entry that was applied; go on behind it.
  public long cursor() {
    return generations.cursor();
  }

  /// Sequence of the last entry whose effect a crash cannot undo: entries up to here may be
  /// trimmed.
  public long durableCursor() {
    return generations.durableCursor();
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
    List<EventKey> keys = entries.stream().map(OutboxEntry::event).toList();
    EventSlice slice = sources.events().events(keys, EventSlices.CHARS);
    if (slice.events().size() < slice.keys()) {
      refuseUnreadable(keys.subList(0, slice.keys()), slice.events());
    }
    long last = entries.get(slice.keys() - 1).sequence();
    Set<EventId> erased = missing(keys.subList(0, slice.keys()), slice.events());
    generations.apply(
        entries.getFirst(),
        generation -> {
          int written = put(generation, slice.events()) + delete(generation, erased);
          return written + advance(generation, last);
        });
    return slice.keys();
  }

  private static Set<EventId> missing(List<EventKey> keys, List<Event> read) {
    Set<EventId> missing = keys.stream().map(EventKey::id).collect(Collectors.toSet());
    read.forEach(event -> missing.remove(event.id()));
    return missing;
  }

  private static int delete(Generation generation, Collection<EventId> events) {
    events.forEach(id -> generation.delete(id.value()));
    return events.size();
  }

  /// Takes events out that are not in the log any more.
  public void erase(Collection<EventId> events) {
    generations.update(generation -> delete(generation, events));
    generations.refresh();
  }

  /// Leaves nothing in its files of documents that were taken out or replaced.
  ///
  /// Searches that have begun before may keep former files a little longer: [#hasFormerFiles].
  ///
  /// @param nodes that were written or retired; they are followed first
  public void purge(Collection<NodeId> nodes) {
    List<NodeId> all = List.copyOf(nodes);
    for (int from = 0; from < all.size(); from += PURGED_NODES) {
      nodesChanged(all.subList(from, Math.min(all.size(), from + PURGED_NODES)));
      followAll();
    }
    followAll();
    generations.purge();
  }

  /// Whether there are files that the last purge has replaced: searches read them that have begun
  /// before it.
  public boolean hasFormerFiles() {
    return generations.hasFormerFiles();
  }

  private void followAll() {
    try (var _ = following.hold()) {
      while (summaries.isDue()) {
        followSummaries(PURGED_NODES);
      }
    }
  }

  /// Lists leave out what they cannot read; asked for alone it says so.
  private void refuseUnreadable(List<EventKey> keys, List<Event> read) {
    Set<EventKey> there = read.stream().map(Event::key).collect(Collectors.toSet());
    keys.stream()
        .filter(key -> !there.contains(key))
        .forEach(key -> sources.events().event(key.id()));
  }

  /// Applies one entry that was given up before; the cursor stays.
  ///
  /// @throws dev.agentmemory.types.MemoryException as [#apply] does
  public void retry(OutboxEntry entry) {
    List<Event> found = sources.events().event(entry.event().id()).stream().toList();
    generations.update(generation -> put(generation, found));
  }

  private int put(Generation generation, List<Event> events) {
    events.forEach(event -> documents.put(generation, event, Optional.empty()));
    return events.size();
  }

  /// Goes on behind entries that cannot be applied.
  ///
  /// @param through sequence of the last one
  public void passOver(long through) {
    generations.update(generation -> advance(generation, through));
  }

  private static int advance(Generation generation, long sequence) {
    generation.cursor(Math.max(generation.cursor(), sequence));
    return 1;
  }

  /// Makes visible and durable what is due. To be called about once a second, also when there is
  /// nothing to apply.
  ///
  /// @return whether something that was applied is still unseen
  public boolean maintain() {
    return generations.maintain();
  }

  /// Links the files of the index into a new folder, with everything that was applied. Put into a
  /// folder named by a number in an index's home they are that index again.
  ///
  /// @param folder must not exist, its parent must
  /// @throws dev.agentmemory.types.MemoryException `STORAGE_FAILED` when the index cannot be
  ///   written or read now
  public void checkpoint(Path folder) {
    generations.checkpoint(folder);
  }

  /// Makes everything that was applied visible at once.
  public void refresh() {
    generations.refresh();
  }

  /// Makes everything that was applied durable at once.
  public void commit() {
    generations.commit();
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
    try (var _ = following.hold()) {
      if (summaries.isRound() && generations.isUnseen()) {
        generations.refresh();
      }
      List<ToIntFunction<Generation>> steps = summaries.steps(limit);
      try {
        return steps.stream().mapToInt(generations::update).sum();
      } catch (RuntimeException | Error e) {
        summaries.allChanged();
        throw e;
      }
    }
  }

  /// Gives some events without a vector of this model one, the latest events first.
  ///
  /// @param limit texts that go to the model at once, 1 and up
  /// @return how many events were looked at; 0 when every event has one
  /// @throws dev.agentmemory.types.MemoryException as the model throws it; nothing was changed then
  public int embed(Embedder embedder, int limit) {
    String field = EventDocuments.Vector.field(embedder);
    if (generations.isUnseen()) {
      generations.refresh();
    }
    List<EventKey> keys = view.read(searcher -> Vectors.missing(searcher, field, limit));
    if (keys.isEmpty()) {
      return 0;
    }
    List<Event> events = sources.events().events(keys);
    List<float[]> vectors =
        events.isEmpty()
            ? List.of()
            : embedder.documents(events.stream().map(Speakers::spoken).toList());
    Set<EventId> gone = keys.stream().map(EventKey::id).collect(Collectors.toSet());
    events.forEach(event -> gone.remove(event.id()));
    generations.update(generation -> {
      for (int i = 0; i < events.size(); i++) {
        Event event = events.get(i);
        // It may have been erased while its vector was computed.
        if (sources.events().events(List.of(event.key())).isEmpty()) {
          generation.delete(event.id().value());
          continue;
        }
        var vector = new EventDocuments.Vector(field, vectors.get(i));
        documents.put(generation, event, Optional.of(vector));
      }
      gone.forEach(id -> generation.delete(id.value()));
      return keys.size();
    });
    generations.refresh();
    return keys.size();
  }

  /// Whether the index does not hold the whole log yet, because it was missing, damaged or old.
  public boolean owesRebuild() {
    return !view.isComplete();
  }

  /// Whether a rebuild goes on.
  public boolean isRebuilding() {
    return reindexing.isRunning();
  }

  /// An unknown part of the log is missing in the index: it [#owesRebuild] from now on.
  public void oweRebuild() {
    generations.markIncomplete();
  }

  /// Makes the index again from the log while the old one serves; an index that [#owesRebuild] is
  /// filled up instead and serves what it has. Vectors that are there are kept.
  ///
  /// @param between run after every few hundred events on the calling thread; it may rest, and what
  ///   it throws ends the rebuild and leaves the old index
  /// @return events that were read
  /// @throws dev.agentmemory.types.MemoryException `CONFLICT` when a rebuild goes on already,
  ///   `STORAGE_FAILED` when the index cannot be written
  public long rebuild(Runnable between) {
    return reindexing.run(between);
  }

  /// How the index is now. Counts take a moment.
  ///
  /// @param embedder whose vectors to count
  public SearchReport status(Optional<Embedder> embedder) {
    return view.report(embedder, sources.outbox().head(), reindexing.progress());
  }

  /// Size of its files.
  public long bytes() {
    return generations.bytes();
  }

  /// Closes as a crash would: what was not committed is lost.
  void abandon() {
    generations.abandon();
  }

  /// Makes everything durable and closes.
  @Override
  public void close() {
    generations.close();
  }
}
