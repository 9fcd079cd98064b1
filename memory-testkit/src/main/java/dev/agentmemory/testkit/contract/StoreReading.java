package dev.agentmemory.testkit.contract;

import dev.agentmemory.store.DeadLetter;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.OutboxEntry;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.ModelCall;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.TocLevel;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// Reads all of a small store, so that two stores can be compared. Lists are read in pages of
/// three.
public final class StoreReading {

  private static final int PAGE = 3;
  private static final Instant FAR = Instant.parse("2286-01-01T00:00:00Z");

  private final MemoryStore store;
  private final Map<String, Object> found = new LinkedHashMap<>();

  private StoreReading(MemoryStore store) {
    this.store = store;
  }

  /// The queries and their answers.
  ///
  /// @param nodes nodes to read, also those that may not exist
  public static Map<String, Object> of(MemoryStore store, List<NodeId> nodes) {
    var reading = new StoreReading(store);
    reading.readLog();
    reading.readOutbox();
    nodes.forEach(reading::readNode);
    reading.readLevels();
    reading.readCalls();
    reading.readRecords();
    return reading.found;
  }

  private void readLog() {
    List<Event> events =
        pages(after -> store.events().events(Instant.EPOCH, FAR, after, PAGE), Event::key);
    found.put("events", events);
    found.put("by id", events.stream().map(e -> store.events().event(e.id())).toList());
    List<Session> sessions = pages(after -> store.sessions().sessions(after, PAGE), Session::id);
    found.put("sessions", sessions);
    sessions.forEach(session -> readSession(session.id()));
    for (String session : RandomCommits.sessions()) {
      readSegments(new SessionId(session), events);
    }
    found.put(
        "open segments",
        store.segments().openSegments(FAR, Integer.MAX_VALUE).stream()
            .sorted(Comparator.comparing(Segment::id))
            .toList());
  }

  private void readSession(SessionId id) {
    List<EventKey> keys =
        pages(after -> store.sessions().eventsAfter(id, after, PAGE), Function.identity());
    found.put("events of " + id, keys);
    for (EventKey key : keys) {
      found.put("events of " + id + " before " + key, store.sessions().eventsBefore(id, key, PAGE));
    }
  }

  private void readSegments(SessionId id, List<Event> events) {
    found.put(
        "segments of " + id,
        pages(after -> store.segments().segmentsAfter(id, after, PAGE), Segment::first));
    for (Event event : events) {
      found.put(
          "segment of " + id + " at " + event.key(), store.segments().segmentAt(id, event.key()));
    }
  }

  private void readOutbox() {
    found.put("outbox", pages(this::outboxAfter, OutboxEntry::sequence));
    found.put(
        "letters",
        pages(after -> store.outbox().deadLetters(after, PAGE), (DeadLetter last) -> last));
    found.put("toc", store.checkpoints().checkpoint("toc"));
    found.put("search", store.checkpoints().checkpoint("search"));
    var stats = store.stats();
    found.put(
        "stats",
        List.of(
            stats.events(),
            stats.outboxHead(),
            stats.outboxTail(),
            stats.dirtyNodes(),
            stats.deadLetters()));
  }

  private List<OutboxEntry> outboxAfter(Optional<Long> after) {
    return store.outbox().entries(after.orElse(0L), PAGE);
  }

  private void readNode(NodeId id) {
    found.put("node " + id, store.toc().node(id));
    found.put("grips of " + id, store.grips().gripsOf(id));
    List<Integer> versions = store.toc().versions(id);
    found.put("versions of " + id, versions);
    for (int version : versions) {
      found.put(id + " version " + version, store.toc().node(id, version));
    }
  }

  private void readLevels() {
    for (TocLevel level : TocLevel.values()) {
      found.put(
          "ids " + level,
          pages(after -> store.toc().nodeIds(level, after, PAGE), (NodeId last) -> last));
      found.put("dirty " + level, store.toc().dirty(level, Integer.MAX_VALUE));
      found.put(
          "upgrades " + level,
          pages(after -> store.toc().upgrades(level, after, PAGE), (NodeId last) -> last));
    }
  }

  private void readCalls() {
    var calls = new ArrayList<ModelCall>();
    store.ledger().modelCalls(Instant.EPOCH, FAR, calls::add);
    found.put("calls", calls);
  }

  private void readRecords() {
    for (String prefix : List.of("", "memory:", "memory:2", "use:", "\uD83E\uDD80")) {
      found.put(
          "records " + prefix,
          pages(after -> store.records().records(prefix, after, PAGE), StoredRecord::key));
    }
    found.put("record", store.records().record("memory:1"));
    found.put("number of records", store.usage().records());
  }

  private static <T, K> List<T> pages(
      Function<Optional<K>, List<T>> reading, Function<T, K> place) {
    var all = new ArrayList<T>();
    List<T> page = reading.apply(Optional.empty());
    while (!page.isEmpty()) {
      all.addAll(page);
      page = reading.apply(Optional.of(place.apply(page.getLast())));
    }
    return all;
  }
}
