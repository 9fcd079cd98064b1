package dev.agentmemory.testkit.store;

import dev.agentmemory.store.Change;
import dev.agentmemory.store.Checkpoint;
import dev.agentmemory.store.CheckpointReader;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.DamagedRange;
import dev.agentmemory.store.DeadLetter;
import dev.agentmemory.store.EventReader;
import dev.agentmemory.store.EventSlice;
import dev.agentmemory.store.FileReader;
import dev.agentmemory.store.Finding;
import dev.agentmemory.store.GripReader;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.OutboxEntry;
import dev.agentmemory.store.OutboxReader;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.store.SegmentReader;
import dev.agentmemory.store.SessionReader;
import dev.agentmemory.store.StoreFile;
import dev.agentmemory.store.StoreStats;
import dev.agentmemory.store.StoreUsage;
import dev.agentmemory.store.TocReader;
import dev.agentmemory.store.UsageReader;
import dev.agentmemory.store.derived.DerivedReader;
import dev.agentmemory.store.erased.ErasedContent;
import dev.agentmemory.store.record.RecordReader;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.types.Boundary;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.Grip;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.ModelCall;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.SegmentId;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/// The store as sorted maps under one lock: the model that says what a store must do. It keeps
/// nothing over its close and is meant for tests only.
public final class HeapStore
    implements MemoryStore,
        EventReader,
        SessionReader,
        SegmentReader,
        TocReader,
        GripReader,
        OutboxReader,
        CheckpointReader,
        RecordReader,
        DerivedReader,
        UsageReader {

  private static final FileReader NO_FILES =
      new FileReader() {
        @Override
        public List<StoreFile> files() {
          return List.of();
        }

        @Override
        public Optional<DamagedRange> check(StoreFile file, IntConsumer read) {
          return Optional.empty();
        }
      };

  private final ZoneId zone;
  private final NavigableMap<EventKey, Event> events = new TreeMap<>();
  private final Map<EventId, EventKey> ids = new HashMap<>();

  /// Every event as it was received, without its position.
  private final Map<EventId, Event> received = new HashMap<>();

  private final NavigableMap<SessionId, Session> sessions = new TreeMap<>(byBytes());
  private final Map<SessionId, NavigableSet<EventKey>> sessionEvents = new HashMap<>();
  private final Map<SessionId, Long> highestPositions = new HashMap<>();
  private final NavigableMap<SegmentId, Segment> segments = new TreeMap<>();
  private final NavigableMap<GripId, Grip> grips = new TreeMap<>();
  private final HeapNodes nodes = new HeapNodes();
  private final NavigableMap<Long, OutboxEntry> outbox = new TreeMap<>();
  private final List<DeadLetter> letters = new ArrayList<>();
  private final Map<String, Checkpoint> checkpoints = new HashMap<>();
  private final NavigableMap<Instant, NavigableMap<String, ModelCall>> calls = new TreeMap<>();
  private final NavigableMap<String, StoredRecord> records =
      new TreeMap<>(Comparator.comparing(HeapStore::utf8, Arrays::compareUnsigned));
  private long outboxHead;
  private long commits;
  private boolean closed;
  private Optional<String> problem = Optional.empty();

  /// Commits that are taken though there is a problem.
  private int takenFirst;

  public HeapStore(ZoneId zone) {
    this.zone = Objects.requireNonNull(zone, "zone");
  }

  @Override
  public EventReader events() {
    return this;
  }

  @Override
  public SessionReader sessions() {
    return this;
  }

  @Override
  public SegmentReader segments() {
    return this;
  }

  @Override
  public TocReader toc() {
    return this;
  }

  @Override
  public GripReader grips() {
    return this;
  }

  @Override
  public OutboxReader outbox() {
    return this;
  }

  @Override
  public CheckpointReader checkpoints() {
    return this;
  }

  @Override
  public DerivedReader derived() {
    return this;
  }

  @Override
  public synchronized List<TocNode> nodeVersions(Optional<TocNode> after, int limit) {
    checkOpen(limit);
    return nodes.versions(after).limit(limit).toList();
  }

  @Override
  public synchronized List<NodeId> segmentNodes(NodeId day, Optional<NodeId> after, int limit) {
    checkOpen(limit);
    String prefix = HeapErasures.segmentsOf(day);
    return nodes
        .versions(Optional.empty())
        .map(TocNode::id)
        .distinct()
        .filter(id -> id.value().startsWith(prefix) && id.workspace().equals(day.workspace()))
        .filter(id -> after.isEmpty() || id.compareTo(after.get()) > 0)
        .sorted()
        .limit(limit)
        .toList();
  }

  @Override
  public synchronized List<Grip> grips(Optional<GripId> after, int limit) {
    checkOpen(limit);
    return after.map(id -> grips.tailMap(id, false)).orElse(grips).values().stream()
        .limit(limit)
        .toList();
  }

  @Override
  public UsageReader ledger() {
    return this;
  }

  @Override
  public RecordReader records() {
    return this;
  }

  @Override
  public synchronized Optional<String> record(String key) {
    checkOpen();
    StoredRecord.checkKey("key", key);
    return Optional.ofNullable(records.get(key)).map(StoredRecord::value);
  }

  @Override
  public synchronized List<StoredRecord> records(String prefix, Optional<String> after, int limit) {
    checkOpen(limit);
    StoredRecord.checkText("prefix", prefix);
    after.ifPresent(key -> StoredRecord.checkKey("after", key));
    return after.map(key -> records.tailMap(key, false)).orElse(records).values().stream()
        .filter(row -> row.key().startsWith(prefix))
        .limit(limit)
        .toList();
  }

  @Override
  public FileReader files() {
    return NO_FILES;
  }

  @Override
  public synchronized List<Receipt> commit(Commit commit) {
    checkOpen();
    if (problem.isPresent() && takenFirst-- <= 0) {
      throw new MemoryException(ErrorCode.STORAGE_FAILED, problem.get());
    }
    checkAll(commit);
    var receipts = new ArrayList<Receipt>();
    for (Change change : commit.changes()) {
      if (change instanceof Change.AppendEvent append) {
        receipts.add(append(append.event(), append.received()));
      } else {
        apply(change);
      }
    }
    commit.checkpoint().ifPresent(checkpoint -> checkpoints.put(checkpoint.name(), checkpoint));
    commits++;
    return List.copyOf(receipts);
  }

  @Override
  public CompletableFuture<List<Receipt>> submit(Commit commit) {
    try {
      return CompletableFuture.completedFuture(commit(commit));
    } catch (MemoryException e) {
      if (e.code() == ErrorCode.CLOSED) {
        throw e;
      }
      return CompletableFuture.failedFuture(e);
    }
  }

  private void checkAll(Commit commit) {
    HeapNodes.Check check = nodes.check();
    for (Change change : commit.changes()) {
      if (change instanceof Change.PutNode(TocNode node)) {
        check.put(node);
      } else if (change instanceof Change.RetireNode(NodeId node)) {
        check.retire(node);
      } else if (change instanceof Change.AppendEvent(Event event, Event _)
          && event.timestamp().toEpochMilli() > EventKey.LAST_MILLIS) {
        throw MemoryException.invalid("event.timestamp", "is after the year 2286");
      }
    }
  }

  private Receipt append(Event sent, Event asReceived) {
    Event content = asReceived.withPosition(0);
    if (ids.containsKey(sent.id())) {
      boolean same = content.equals(received.get(sent.id()));
      return same ? new Receipt.AlreadyKnown(sent.id()) : new Receipt.Conflict(sent.id());
    }
    if (wasErased(sent)) {
      return new Receipt.Erased(sent.id());
    }
    long highest = highestPositions.getOrDefault(sent.session(), 0L);
    Event event =
        sent.position() > 0
            ? sent
            : sent.withPosition(Math.min(highest + 1, EventKey.LAST_POSITION));
    highestPositions.put(event.session(), Math.max(highest, event.position()));
    EventKey key = event.key();
    events.put(key, event);
    ids.put(event.id(), key);
    received.put(event.id(), content);
    sessions.merge(event.session(), Session.of(event), (old, first) -> old.plus(event));
    sessionEvents.computeIfAbsent(event.session(), id -> new TreeSet<>()).add(key);
    outboxHead++;
    outbox.put(outboxHead, new OutboxEntry(outboxHead, key));
    notifyAll();
    return new Receipt.Created(event.id());
  }

  private void apply(Change change) {
    switch (change) {
      case Change.AppendEvent append -> throw new AssertionError(append.event().id());
      case Change.MaskEvent(Event event) -> mask(event);
      case Change.EraseEvent(SessionId session, EventKey key, boolean barred) ->
          erase(session, key, barred);
      case Change.MaskNode(TocNode node) -> nodes.mask(node);
      case Change.PutNode(TocNode node) -> nodes.put(node);
      case Change.RetireNode(NodeId node) -> nodes.retire(node);
      case Change.DropFormerVersions(NodeId node) -> nodes.dropFormer(node);
      case Change.MarkDirty(NodeId node) -> nodes.markDirty(node);
      case Change.ClearDirty(NodeId node) -> nodes.clearDirty(node);
      case Change.MarkUpgrade(NodeId node) -> nodes.markUpgrade(node);
      case Change.ClearUpgrade(NodeId node) -> nodes.clearUpgrade(node);
      case Change.RecordCall(ModelCall call) ->
          calls.computeIfAbsent(call.time(), time -> new TreeMap<>()).put(call.id(), call);
      case Change.PutGrip(Grip grip) -> grips.put(grip.id(), grip);
      case Change.DropGrip(GripId grip) -> grips.remove(grip);
      case Change.PutSegment(Segment segment) -> segments.put(segment.id(), segment);
      case Change.DropSegment(SegmentId segment) -> segments.remove(segment);
      case Change.PutDeadLetter(DeadLetter letter) -> park(letter);
      case Change.DropDeadLetter(String consumer, long sequence) -> unpark(consumer, sequence);
      case Change.PutRecord(StoredRecord row, boolean _) -> records.put(row.key(), row);
      case Change.DropRecord(String key) -> records.remove(key);
      case Change.TrimOutbox(long through) -> outbox.headMap(through, true).clear();
    }
  }

  private void mask(Event masked) {
    Optional<Event> found = at(masked.key());
    if (found.isEmpty()) {
      return;
    }
    Event stored = found.get();
    events.put(
        stored.key(),
        stored.withContent(masked.text(), masked.metadata()).withAgent(masked.agent()));
    sessions.computeIfPresent(
        stored.session(),
        (_, session) ->
            session.agent().equals(stored.agent()) ? session.withAgent(masked.agent()) : session);
    outboxHead++;
    outbox.put(outboxHead, new OutboxEntry(outboxHead, stored.key()));
    notifyAll();
  }

  private void erase(SessionId session, EventKey key, boolean barred) {
    Optional<Event> found = at(key);
    if (found.isEmpty()) {
      return;
    }
    Event stored = found.get();
    events.remove(stored.key());
    ids.remove(stored.id());
    received.remove(stored.id());
    for (String text : ErasedContent.kept(stored, barred)) {
      records.put(HeapErasures.key(text), new StoredRecord(HeapErasures.key(text), "{}"));
    }
    NavigableSet<EventKey> left = keysOf(session);
    left.remove(stored.key());
    if (left.isEmpty()) {
      sessions.remove(session);
      sessionEvents.remove(session);
      highestPositions.remove(session);
    } else {
      sessions.computeIfPresent(
          session,
          (_, before) -> HeapErasures.without(before, left, at(left.last()).orElseThrow()));
    }
    outboxHead++;
    outbox.put(outboxHead, new OutboxEntry(outboxHead, stored.key()));
    notifyAll();
  }

  @Override
  public String digest(String text) {
    return UUID.nameUUIDFromBytes(utf8(text)).toString();
  }

  @Override
  public synchronized boolean wasErased(Event event) {
    return ErasedContent.sought(event).stream()
        .anyMatch(text -> records.containsKey(HeapErasures.key(text)));
  }

  /// Whether an event was erased.
  synchronized boolean wasErased(EventId id) {
    return records.containsKey(HeapErasures.key(ErasedContent.id(id)));
  }

  private void park(DeadLetter letter) {
    unpark(letter.consumer(), letter.entry().sequence());
    letters.add(letter);
    letters.sort(byConsumer());
  }

  private void unpark(String consumer, long sequence) {
    letters.removeIf(
        letter -> letter.consumer().equals(consumer) && letter.entry().sequence() == sequence);
  }

  @Override
  public synchronized Optional<Event> event(EventId id) {
    checkOpen();
    return Optional.ofNullable(ids.get(id)).map(events::get);
  }

  @Override
  public synchronized List<Event> events(List<EventKey> keys) {
    checkOpen();
    return keys.stream().map(this::at).flatMap(Optional::stream).toList();
  }

  @Override
  public synchronized EventSlice events(List<EventKey> keys, long maxChars) {
    checkOpen();
    var found = new ArrayList<Event>();
    long chars = 0;
    int looked = 0;
    for (EventKey key : keys) {
      Optional<Event> event = at(key);
      chars += event.map(Event::chars).orElse(0L);
      if (chars > maxChars && event.isPresent() && !found.isEmpty()) {
        break;
      }
      event.ifPresent(found::add);
      looked++;
    }
    return new EventSlice(found, looked);
  }

  private Optional<Event> at(EventKey key) {
    return Optional.ofNullable(ids.get(key.id()))
        .filter(known -> known.timestamp().equals(key.timestamp()))
        .map(events::get);
  }

  @Override
  public synchronized List<Event> events(
      Instant from, Instant to, Optional<EventKey> after, int limit) {
    return events(eventKeys(from, to, after, limit));
  }

  @Override
  public synchronized List<EventKey> eventKeys(
      Instant from, Instant to, Optional<EventKey> after, int limit) {
    checkOpen(limit);
    return events.keySet().stream()
        .filter(key -> !key.timestamp().isBefore(from) && key.timestamp().isBefore(to))
        .filter(key -> after.isEmpty() || key.compareTo(after.get()) > 0)
        .limit(limit)
        .toList();
  }

  @Override
  public synchronized Optional<Session> session(SessionId id) {
    checkOpen();
    return Optional.ofNullable(sessions.get(id));
  }

  @Override
  public synchronized List<Session> sessions(Optional<SessionId> after, int limit) {
    checkOpen(limit);
    var rest = after.map(id -> sessions.tailMap(id, false)).orElse(sessions);
    return rest.values().stream().limit(limit).toList();
  }

  @Override
  public synchronized List<EventKey> eventsAfter(
      SessionId session, Optional<EventKey> after, int limit) {
    checkOpen(limit);
    NavigableSet<EventKey> all = keysOf(session);
    return after.map(key -> all.tailSet(key, false)).orElse(all).stream().limit(limit).toList();
  }

  @Override
  public synchronized List<EventKey> eventsBefore(SessionId session, EventKey before, int limit) {
    checkOpen(limit);
    return keysOf(session).headSet(before, false).descendingSet().stream()
        .limit(limit)
        .toList()
        .reversed();
  }

  private NavigableSet<EventKey> keysOf(SessionId session) {
    return sessionEvents.getOrDefault(session, new TreeSet<>());
  }

  @Override
  public synchronized Optional<Segment> segment(SegmentId id) {
    checkOpen();
    return Optional.ofNullable(segments.get(id));
  }

  @Override
  public synchronized Optional<Segment> segmentAt(SessionId session, EventKey place) {
    checkOpen();
    return segmentsOf(session).stream()
        .filter(segment -> segment.first().compareTo(place) <= 0)
        .reduce((earlier, later) -> later);
  }

  @Override
  public synchronized List<Segment> segmentsAfter(
      SessionId session, Optional<EventKey> after, int limit) {
    checkOpen(limit);
    return segmentsOf(session).stream()
        .filter(segment -> after.isEmpty() || segment.first().compareTo(after.get()) > 0)
        .limit(limit)
        .toList();
  }

  @Override
  public synchronized List<Segment> openSegments(Instant lastEventUpTo, int limit) {
    checkOpen(limit);
    return segments.values().stream()
        .filter(segment -> segment.boundary() == Boundary.OPEN)
        .filter(segment -> !segment.end().isAfter(lastEventUpTo))
        .limit(limit)
        .toList();
  }

  private List<Segment> segmentsOf(SessionId session) {
    return segments.values().stream()
        .filter(segment -> segment.session().equals(session))
        .sorted(Comparator.comparing(Segment::first))
        .toList();
  }

  @Override
  public synchronized Optional<TocNode> node(NodeId id) {
    checkOpen();
    return nodes.node(id);
  }

  @Override
  public synchronized List<TocNode> nodes(List<NodeId> wanted) {
    checkOpen();
    return wanted.stream().map(nodes::node).flatMap(Optional::stream).toList();
  }

  @Override
  public synchronized Optional<TocNode> node(NodeId id, int version) {
    checkOpen();
    return nodes.node(id, version);
  }

  @Override
  public synchronized List<Integer> versions(NodeId id) {
    checkOpen();
    return nodes.versions(id);
  }

  @Override
  public synchronized List<NodeId> nodeIds(TocLevel level, Optional<NodeId> after, int limit) {
    checkOpen(limit);
    return nodes.ids(level, after, limit);
  }

  @Override
  public synchronized List<NodeId> dirty(TocLevel level, int limit) {
    checkOpen(limit);
    return nodes.dirty(level, limit);
  }

  @Override
  public synchronized boolean isDirty(NodeId id) {
    checkOpen(1);
    return nodes.isDirty(id);
  }

  @Override
  public synchronized List<NodeId> upgrades(TocLevel level, Optional<NodeId> before, int limit) {
    checkOpen(limit);
    return nodes.upgrades(level, before, limit);
  }

  @Override
  public synchronized boolean awaitsUpgrade(NodeId id) {
    checkOpen(1);
    return nodes.awaitsUpgrade(id);
  }

  @Override
  public synchronized Optional<Grip> grip(GripId id) {
    checkOpen();
    return Optional.ofNullable(grips.get(id));
  }

  @Override
  public synchronized List<GripId> gripsOf(NodeId node) {
    checkOpen();
    return nodes.node(node).stream().flatMap(found -> found.grips().stream()).sorted().toList();
  }

  @Override
  public synchronized List<OutboxEntry> entries(long after, int limit) {
    checkOpen(limit);
    return outbox.tailMap(after, false).values().stream().limit(limit).toList();
  }

  @Override
  public synchronized long head() {
    checkOpen();
    return outboxHead;
  }

  @Override
  public synchronized boolean await(long after, Duration atMost) throws InterruptedException {
    return await(() -> outbox.higherKey(after) != null, atMost);
  }

  @Override
  public synchronized List<DeadLetter> deadLetters(Optional<DeadLetter> after, int limit) {
    checkOpen(limit);
    return letters.stream()
        .filter(letter -> after.isEmpty() || byConsumer().compare(letter, after.get()) > 0)
        .limit(limit)
        .toList();
  }

  @Override
  public synchronized Optional<Checkpoint> checkpoint(String name) {
    checkOpen();
    return Optional.ofNullable(checkpoints.get(name));
  }

  @Override
  public void modelCalls(Instant from, Instant until, Consumer<ModelCall> each) {
    callsBetween(from, until).forEach(each);
  }

  private synchronized List<ModelCall> callsBetween(Instant from, Instant until) {
    checkOpen();
    return calls.tailMap(from).entrySet().stream()
        .takeWhile(same -> same.getKey().isBefore(until))
        .map(Map.Entry::getValue)
        .flatMap(same -> same.values().stream())
        .toList();
  }

  @Override
  public ZoneId zone() {
    return zone;
  }

  @Override
  public synchronized StoreStats stats() {
    checkOpen();
    long tail = outbox.isEmpty() ? outboxHead + 1 : outbox.firstKey();
    return new StoreStats(
        events.size(), outboxHead, tail, nodes.dirtyCount(), letters.size(), commits, commits, 0);
  }

  @Override
  public synchronized StoreUsage usage() {
    checkOpen();
    return new StoreUsage(
        events.size(),
        sessions.size(),
        segments.size(),
        nodes.count(),
        nodes.versionCount(),
        grips.size(),
        outbox.size(),
        records.size(),
        0,
        List.of());
  }

  @Override
  public synchronized Optional<String> problem() {
    return problem;
  }

  /// Refuses every commit until [#takeCommits], like a store whose disk has failed.
  public synchronized void refuseCommits(String why) {
    refuseCommitsAfter(0, why);
  }

  /// Takes some commits more, then refuses every one until [#takeCommits].
  public synchronized void refuseCommitsAfter(int commits, String why) {
    takenFirst = commits;
    problem = Optional.of(why);
  }

  public synchronized void takeCommits() {
    problem = Optional.empty();
  }

  @Override
  public synchronized List<Finding> verify(int limit, Runnable between) {
    checkOpen(limit);
    between.run();
    return new HeapVerifier(this, limit).findings(grips.values());
  }

  @Override
  public synchronized void compact() {
    checkOpen();
  }

  @Override
  public synchronized void close() {
    closed = true;
    notifyAll();
  }

  /// Waits under the lock, which [Object#wait] releases meanwhile.
  private boolean await(BooleanSupplier condition, Duration atMost) throws InterruptedException {
    // Measured by the wait itself, because the clock of a test may not advance.
    long budget = atMost.toMillis();
    while (!closed && !condition.getAsBoolean() && budget > 0) {
      long step = Math.min(budget, 20);
      wait(step);
      budget -= step;
    }
    return !closed && condition.getAsBoolean();
  }

  private void checkOpen() {
    if (closed) {
      throw new MemoryException(ErrorCode.CLOSED, "the store is closed; open it again");
    }
  }

  private void checkOpen(int limit) {
    checkOpen();
    if (limit < 1) {
      throw new IllegalArgumentException("limit below 1: " + limit);
    }
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static Comparator<SessionId> byBytes() {
    return Comparator.comparing(id -> utf8(id.value()), Arrays::compareUnsigned);
  }

  private static Comparator<DeadLetter> byConsumer() {
    return Comparator.comparing(
            (DeadLetter letter) -> utf8(letter.consumer()), Arrays::compareUnsigned)
        .thenComparingLong(letter -> letter.entry().sequence());
  }
}
