package dev.agentmemory.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.config.SettingReader;
import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.rocksdb.internal.engine.TableFiles;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Checkpoint;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.DeadLetter;
import dev.agentmemory.store.Finding;
import dev.agentmemory.store.OutboxEntry;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.testkit.TestCalls;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.TestGrips;
import dev.agentmemory.testkit.TestSegments;
import dev.agentmemory.testkit.TestToc;
import dev.agentmemory.types.Boundary;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.Grip;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.ModelCall;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.TocLevel;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Bytes of a file flip: whatever stood in the damaged block is left out and told, the rest is
/// served and the store takes writes.
@Tag("slow")
class DamagedBlockTest {

  private static final int EVENTS = 3000;
  private static final Instant END = TestEvents.START.plusSeconds(2 * EVENTS);

  @TempDir private Path directory;

  private final List<Event> events = new ArrayList<>();
  private final List<Segment> segments = new ArrayList<>();
  private final List<Grip> grips = new ArrayList<>();
  private final List<StoredRecord> records = new ArrayList<>();

  @BeforeEach
  void fill() {
    for (int i = 0; i < EVENTS; i++) {
      String session = String.format(Locale.ROOT, "session %04d", i / 4);
      Instant at = TestEvents.START.plusSeconds(i);
      events.add(
          TestEvents.message(session, at, "message " + i + " " + "word ".repeat(20) + i * i));
    }
    // Without waiting for the disk at each of the many commits; closing writes it all.
    StorageConfig hasty = StorageConfig.from(SettingReader.of(Map.of("durability", "async")));
    try (RocksStore store = RocksStore.open(directory, hasty, InstantSource.system())) {
      store.commit(Commit.append(events));
      for (int i = 0; i < EVENTS; i += 4) {
        Segment segment = TestSegments.segment(Boundary.GAP, events.subList(i, i + 4));
        Grip grip = TestGrips.grip(segment.node(), events.get(i));
        StoredRecord record =
            new StoredRecord(
                String.format(Locale.ROOT, "memory:%04d", i),
                "statement %d ".formatted(i * i).repeat(9));
        segments.add(segment);
        grips.add(grip);
        records.add(record);
        store.commit(
            Commit.of(
                new Change.PutSegment(segment),
                new Change.PutGrip(grip),
                new Change.PutNode(TestToc.node(segment, 1, List.of(grip))),
                new Change.MarkDirty(segment.node()),
                new Change.MarkUpgrade(segment.node()),
                new Change.RecordCall(TestCalls.call(events.get(i).timestamp(), i)),
                new Change.PutRecord(record),
                new Change.PutDeadLetter(
                    new DeadLetter(
                        "toc", new OutboxEntry(i + 1, events.get(i).key()), "why", 3, END))));
        store.commit(Commit.of(Checkpoint.at("job " + i, 1)));
      }
      store.compact();
    }
  }

  @Test
  void events_blockDamaged_restIsServed() {
    damage(Table.EVENTS);
    try (RocksStore store = open()) {
      List<Event> read = store.events().events(TestEvents.START, END, Optional.empty(), 2 * EVENTS);
      assertMostOf(events, read);
      List<EventKey> keys = events.stream().map(Event::key).toList();
      assertThat(store.events().events(keys)).isEqualTo(read);
      Event lost = events.stream().filter(event -> !read.contains(event)).findFirst().orElseThrow();
      assertCorrupt(() -> store.events().event(lost.id()));
      assertNotTaken(store, lost);
      assertTold(store, "events", "restore a backup");
    }
  }

  @Test
  void events_filesEmptiedWhileTheyAreOpen_repeatedEventIsNotTakenAsNew() throws IOException {
    List<Path> files = TableFiles.files(directory.resolve("rocksdb"), Table.EVENTS);
    try (RocksStore store = open()) {
      for (Path file : files) {
        StoreFolders.truncate(file, 0);
      }
      // Opening has read the last one.
      Event lost = events.get(EVENTS / 2);
      assertCorrupt(() -> store.events().event(lost.id()));
      assertNotTaken(store, lost);
    }
  }

  /// Whether it is there nobody can tell. Stored again it might be there twice, and a receipt that
  /// it is known could lose it.
  private static void assertNotTaken(RocksStore store, Event lost) {
    Event fresh = TestEvents.message("fresh", END, "beside one that is refused");
    CompletableFuture<List<Receipt>> refused = store.submit(Commit.append(List.of(lost)));
    assertThat(store.commit(Commit.append(List.of(fresh))))
        .containsExactly(new Receipt.Created(fresh.id()));
    assertThat(refused).isCompletedExceptionally();
    assertCorrupt(() -> store.commit(Commit.append(List.of(lost))));
    assertThatThrownBy(() -> store.commit(Commit.append(List.of(lost))))
        .hasMessageContaining(lost.id() + " was not stored")
        .hasMessageContaining("memory doctor");
  }

  @Test
  void sessions_blockDamaged_restIsServed() {
    damage(Table.SESSIONS);
    try (RocksStore store = open()) {
      int found = 0;
      for (int i = 0; i < EVENTS; i += 4) {
        SessionId session = events.get(i).session();
        List<EventKey> up = store.sessions().eventsAfter(session, Optional.empty(), 10);
        assertThat(up)
            .containsAll(
                store.sessions().eventsBefore(session, TestEvents.message("x", END, "").key(), 10));
        found += up.size();
      }
      assertThat(found).isBetween(EVENTS / 2, EVENTS - 1);
      assertTakesEvents(store);
      assertTold(store, "sessions", "restore a backup");
    }
  }

  @Test
  void eventIds_blockDamaged_newEventsAreTaken() {
    Event moved = TestEvents.withId(events.getFirst(), TestEvents.id(Instant.EPOCH, 9));
    try (RocksStore store = open()) {
      store.commit(Commit.append(List.of(moved)));
      store.compact();
    }
    damage(Table.EVENT_IDS);
    try (RocksStore store = open()) {
      assertCorrupt(() -> store.events().event(moved.id()));
      assertNotTaken(store, moved);
      assertTakesEvents(store);
      assertTold(store, "event_ids", "restore a backup");
    }
  }

  @Test
  void conversations_blockDamaged_restIsServedAndRepaired() {
    damage(Table.CONVERSATIONS);
    try (RocksStore store = open()) {
      List<Session> read = store.sessions().sessions(Optional.empty(), EVENTS);
      assertThat(read).hasSizeBetween(1, EVENTS / 4 - 1);
      SessionId lost = events.getFirst().session();
      assertCorrupt(() -> store.sessions().session(lost));
      store.commit(Commit.append(List.of(TestEvents.message(lost.value(), END, "next"))));
      assertThat(store.sessions().session(lost).map(Session::events)).contains(5L);
      assertTold(store, "conversations", "the next event");
    }
  }

  @Test
  void segments_blockDamaged_restIsServed() {
    damage(Table.SEGMENTS);
    try (RocksStore store = open()) {
      int found = 0;
      for (Segment segment : segments) {
        found += store.segments().segmentsAfter(segment.session(), Optional.empty(), 10).size();
        store.segments().segmentAt(segment.session(), segment.first());
        store.commit(Commit.of(new Change.PutSegment(segment)));
        assertThat(store.segments().segment(segment.id())).contains(segment);
      }
      assertThat(found).isBetween(EVENTS / 8, EVENTS / 4 - 1);
      assertThat(store.segments().openSegments(END, 10)).isEmpty();
      assertTold(store, "segments", "toc_rebuild");
    }
  }

  @Test
  void nodes_blockDamaged_restIsServed() {
    damage(Table.TOC_NODES);
    try (RocksStore store = open()) {
      List<NodeId> ids = segments.stream().map(Segment::node).toList();
      assertThat(store.toc().nodes(ids)).hasSizeBetween(EVENTS / 8, EVENTS / 4 - 1);
      assertThat(store.toc().nodeIds(TocLevel.SEGMENT, Optional.empty(), EVENTS))
          .hasSize(EVENTS / 4);
      assertTold(store, "toc_nodes", "toc_rebuild");
    }
  }

  @Test
  void latestPointers_blockDamaged_restIsServed() {
    damage(Table.TOC_LATEST);
    try (RocksStore store = open()) {
      List<NodeId> ids = segments.stream().map(Segment::node).toList();
      assertThat(store.toc().nodeIds(TocLevel.SEGMENT, Optional.empty(), EVENTS))
          .hasSizeBetween(1, EVENTS / 4 - 1);
      assertThat(store.toc().nodes(ids)).hasSizeBetween(1, EVENTS / 4 - 1);
      assertTold(store, "toc_latest", "toc_rebuild");
    }
  }

  @Test
  void dirtyMarks_blockDamaged_newOnesAreTaken() {
    damage(Table.TOC_DIRTY);
    try (RocksStore store = open()) {
      assertThat(store.toc().dirty(TocLevel.SEGMENT, EVENTS)).hasSizeLessThan(EVENTS / 4);
      NodeId last = segments.getLast().node();
      store.commit(Commit.of(new Change.ClearDirty(last)));
      store.commit(Commit.of(new Change.MarkDirty(last)));
      assertThat(store.toc().dirty(TocLevel.SEGMENT, EVENTS)).contains(last);
      assertTold(store, "toc_dirty", "toc_rebuild");
    }
  }

  @Test
  void upgradeMarks_blockDamaged_newOnesAreTaken() {
    damage(Table.TOC_UPGRADES);
    try (RocksStore store = open()) {
      assertThat(store.toc().upgrades(TocLevel.SEGMENT, Optional.empty(), EVENTS))
          .hasSizeLessThan(EVENTS / 4);
      NodeId last = segments.getLast().node();
      store.commit(Commit.of(new Change.ClearUpgrade(last)));
      store.commit(Commit.of(new Change.MarkUpgrade(last)));
      assertThat(store.toc().upgrades(TocLevel.SEGMENT, Optional.empty(), EVENTS)).contains(last);
      assertTold(store, "toc_upgrades", "toc_rebuild");
    }
  }

  @Test
  void calls_blockDamaged_restIsServed() {
    damage(Table.USAGE);
    try (RocksStore store = open()) {
      var read = new ArrayList<ModelCall>();
      store.ledger().modelCalls(TestEvents.START, END, read::add);
      assertThat(read).hasSizeBetween(EVENTS / 16, EVENTS / 4 - 1);
      ModelCall next = TestCalls.call(END, 1);
      store.commit(Commit.of(new Change.RecordCall(next)));
      store.ledger().modelCalls(END, END.plusSeconds(1), read::add);
      assertThat(read).endsWith(next);
      assertTold(store, "usage", "only `memory usage` is affected");
    }
  }

  @Test
  void records_blockDamaged_restIsServedAndDamagedRowsAreReplacedAndDeleted() {
    damage(Table.RECORDS);
    try (RocksStore store = open()) {
      List<StoredRecord> read = store.records().records("memory:", Optional.empty(), EVENTS);
      assertThat(read).hasSizeBetween(EVENTS / 16, EVENTS / 4 - 1).isSubsetOf(records);
      StoredRecord replaced = records.get(0);
      StoredRecord deleted = records.get(1);
      assertCorrupt(() -> store.records().record(replaced.key()));
      assertCorrupt(() -> store.records().record(deleted.key()));
      store.commit(Commit.of(new Change.PutRecord(replaced), new Change.DropRecord(deleted.key())));
      assertThat(store.records().record(replaced.key())).contains(replaced.value());
      assertThat(store.records().record(deleted.key())).isEmpty();
      assertTold(store, "records", "not derived from events");
    }
  }

  @Test
  void grips_blockDamaged_restIsServed() {
    damage(Table.GRIPS);
    try (RocksStore store = open()) {
      assertCorrupt(() -> store.grips().grip(grips.getFirst().id()));
      assertThat(store.grips().grip(grips.getLast().id())).contains(grips.getLast());
      assertThat(store.grips().gripsOf(segments.getLast().node()))
          .containsExactly(grips.getLast().id());
      assertTold(store, "grips", "toc_rebuild");
    }
  }

  @Test
  void outbox_blockDamaged_restIsServed() {
    damage(Table.OUTBOX);
    try (RocksStore store = open()) {
      assertThat(store.outbox().entries(0, EVENTS)).hasSizeBetween(EVENTS / 4, EVENTS - 1);
      assertTakesEvents(store);
      assertThat(store.outbox().entries(EVENTS, 10)).hasSize(1);
      assertTold(store, "outbox", "toc_rebuild");
    }
  }

  @Test
  void deadLetters_blockDamaged_newOnesAreTaken() {
    damage(Table.DEAD_LETTERS);
    try (RocksStore store = open()) {
      assertThat(store.outbox().deadLetters(Optional.empty(), EVENTS)).hasSizeLessThan(EVENTS / 4);
      var letter =
          new DeadLetter(
              "toc", new OutboxEntry(2 * EVENTS, events.getFirst().key()), "again", 3, END);
      store.commit(Commit.of(new Change.PutDeadLetter(letter)));
      assertThat(store.outbox().deadLetters(Optional.empty(), EVENTS)).contains(letter);
      assertTold(store, "dead_letters", "toc_rebuild");
    }
  }

  @Test
  void checkpoints_blockDamaged_countAsNeverWritten() {
    damage(Table.CHECKPOINTS);
    try (RocksStore store = open()) {
      assertThat(store.checkpoints().checkpoint("job 0")).isEmpty();
      store.commit(Commit.of(Checkpoint.at("job 0", 7)));
      assertThat(store.checkpoints().checkpoint("job 0")).contains(Checkpoint.at("job 0", 7));
      assertTold(store, "checkpoints", "automatically");
    }
  }

  @Test
  void meta_blockDamaged_isRefusedSayingWhatToDo() {
    damage(Table.META);
    assertThatThrownBy(this::open)
        .isInstanceOf(MemoryException.class)
        .hasMessageContaining("restore a backup");
  }

  @Test
  void merging_meetsDamage_storeGoesOnTakingWrites() {
    damage(Table.EVENTS);
    var now = new AtomicReference<>(END);
    try (RocksStore store = RocksStore.open(directory, StorageConfig.DEFAULT, now::get)) {
      assertThatThrownBy(store::compact).isInstanceOf(MemoryException.class);
      Event event = TestEvents.message("fresh", END, "fresh");
      try {
        store.commit(Commit.append(List.of(event)));
      } catch (MemoryException e) {
        assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_FAILED);
        now.updateAndGet(time -> time.plusSeconds(2));
        store.commit(Commit.append(List.of(event)));
      }
      assertThat(store.events().event(event.id())).contains(event);
      assertThat(store.problem()).isEmpty();
    }
  }

  private void assertMostOf(List<Event> all, List<Event> read) {
    assertThat(all).containsAll(read);
    assertThat(read).hasSizeBetween(all.size() / 2, all.size() - 1);
    assertThat(read).extracting(Event::key).isSorted();
  }

  private static void assertTakesEvents(RocksStore store) {
    Event event = TestEvents.message("fresh", END.plusSeconds(1), "fresh");
    assertThat(store.commit(Commit.append(List.of(event))))
        .containsExactly(new Receipt.Created(event.id()));
    assertThat(store.events().event(event.id())).contains(event);
  }

  private static void assertTold(RocksStore store, String table, String remedy) {
    assertThat(store.verify(10_000))
        .filteredOn(finding -> finding.problem().startsWith("cannot be read"))
        .isNotEmpty()
        .allSatisfy(finding -> assertThat(finding.table()).isEqualTo(table))
        .extracting(Finding::problem)
        .anyMatch(problem -> problem.contains(remedy));
  }

  private static void assertCorrupt(ThrowingCallable reading) {
    assertThatThrownBy(reading)
        .isInstanceOfSatisfying(
            MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT_RECORD));
  }

  private RocksStore open() {
    return RocksStore.open(directory, StorageConfig.DEFAULT, InstantSource.system());
  }

  private void damage(Table table) {
    TableFiles.damageFirstBlock(directory.resolve("rocksdb"), table);
  }
}
