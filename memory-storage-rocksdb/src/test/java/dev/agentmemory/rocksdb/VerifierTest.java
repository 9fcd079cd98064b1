package dev.agentmemory.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.rocksdb.internal.engine.Database;
import dev.agentmemory.rocksdb.internal.engine.RocksBatch;
import dev.agentmemory.storage.codec.CallCodec;
import dev.agentmemory.storage.codec.Conversation;
import dev.agentmemory.storage.codec.GripCodec;
import dev.agentmemory.storage.codec.Keys;
import dev.agentmemory.storage.codec.NodeCodec;
import dev.agentmemory.storage.codec.SessionCodec;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
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
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;

/// Damages single rows behind the store's back: each kind of damage is found, and none of it keeps
/// the undamaged rest from being read or written.
@Tag("slow")
class VerifierTest {

  private static final byte[] RUBBISH = "{\"oops".getBytes(StandardCharsets.UTF_8);
  private static final byte[] NOTHING = new byte[0];
  private static final byte[] NO_UTF8 = {(byte) 0xC3};

  @TempDir private Path directory;

  private final List<Event> events = TestEvents.messages("s", 3);
  private final Event moved =
      TestEvents.withId(
          TestEvents.message("t", TestEvents.START, "moved"), TestEvents.id(Instant.EPOCH, 9));
  private final Segment segment = TestSegments.segment(Boundary.OPEN, events);
  private final Grip grip = TestGrips.grip(segment.node(), events.getFirst());
  private final NodeId day = NodeId.parse("toc:day:2026-01-30").orElseThrow();

  @BeforeEach
  void fill() {
    try (RocksStore store = open()) {
      store.commit(Commit.append(events));
      store.commit(Commit.append(List.of(moved)));
      var changes = new ArrayList<>(TestToc.putTree(segment, List.of(grip)));
      changes.add(new Change.MarkDirty(day));
      store.commit(Commit.of(changes));
      assertThat(store.verify(100)).isEmpty();
    }
  }

  @Test
  void verify_eventLost_isFound() {
    delete(Table.EVENTS, Keys.event(events.get(1).key()));
    assertFound("events", "all", "3 rows, but 4 were counted");
    assertFound("outbox", "2", "does not exist");
  }

  @Test
  void verify_eventDamaged_isFoundAndSkippedByReaders() {
    EventKey key = events.get(1).key();
    put(Table.EVENTS, Keys.event(key), RUBBISH);
    assertFound("events", "evt:", "cannot be read");
    try (RocksStore store = open()) {
      Instant end = TestEvents.START.plusSeconds(3600);
      assertThat(store.events().events(TestEvents.START, end, Optional.empty(), 10))
          .containsExactlyInAnyOrder(events.get(0), events.get(2), moved);
      assertThat(store.events().events(List.of(key, events.get(2).key())))
          .containsExactly(events.get(2));
      assertThatThrownBy(() -> store.events().event(key.id()))
          .isInstanceOfSatisfying(
              MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT_RECORD));
    }
  }

  @Test
  void verify_sessionRowsWrong_areFound() {
    delete(Table.SESSIONS, Keys.sessionEvent(events.get(2)));
    assertFound("sessions", "evt:", "not listed");
    assertFound("conversations", "s", "does not match");
  }

  @Test
  void verify_conversationDamaged_isFoundAndRepairedByTheNextEvent() {
    put(Table.CONVERSATIONS, Keys.conversation(new SessionId("s")), RUBBISH);
    assertFound("conversations", "s", "cannot be read");
    Event next = TestEvents.message("s", TestEvents.START.plusSeconds(999), "next");
    try (RocksStore store = open()) {
      store.commit(Commit.append(List.of(next)));
      assertThat(store.sessions().session(next.session()).map(Session::events)).contains(4L);
      assertThat(store.verify(10)).isEmpty();
    }
  }

  @Test
  void verify_positionsBelowThoseOfTheEvents_areFound() {
    Session session;
    Event late = TestEvents.message("s", TestEvents.START.plusSeconds(999), "late");
    try (RocksStore store = open()) {
      store.commit(Commit.append(List.of(late.withPosition(70))));
      session = store.sessions().session(late.session()).orElseThrow();
    }
    byte[] key = Keys.conversation(session.id());
    put(Table.CONVERSATIONS, key, SessionCodec.encode(new Conversation(session, 70)));
    try (RocksStore store = open()) {
      assertThat(store.verify(10)).isEmpty();
    }
    put(Table.CONVERSATIONS, key, SessionCodec.encode(new Conversation(session, 69)));
    assertFound("conversations", "s", "counts positions below those of its events");
  }

  @Test
  void position_afterTheConversationWasDamaged_liesBehindAllOthers() {
    Event tied = TestEvents.message("s", TestEvents.START.plusSeconds(999), "a").withPosition(70);
    Event next = TestEvents.message("s", TestEvents.START.plusSeconds(999), "b").withPosition(0);
    try (RocksStore store = open()) {
      store.commit(Commit.append(List.of(tied)));
    }
    put(Table.CONVERSATIONS, Keys.conversation(tied.session()), RUBBISH);
    try (RocksStore store = open()) {
      store.commit(Commit.append(List.of(next)));
      assertThat(store.events().event(next.id())).hasValue(next.withPosition(71));
      assertThat(store.verify(10)).isEmpty();
    }
  }

  @Test
  void verify_idRowsWrong_areFound() {
    delete(Table.EVENT_IDS, Keys.eventId(moved.id()));
    put(Table.EVENT_IDS, Keys.eventId(events.get(0).id()), NOTHING);
    assertFound("event_ids", "evt:", "cannot be found by its id");
    assertFound("event_ids", events.get(0).id().value(), "leads to no event");
  }

  @Test
  void verify_outboxGap_isFound() {
    delete(Table.OUTBOX, Keys.outbox(2));
    assertFound("outbox", "3", "expected sequence 2");
  }

  @Test
  void verify_outboxEndLost_isFound() {
    delete(Table.OUTBOX, Keys.outbox(4));
    assertFound("outbox", "4", "is missing");
  }

  @Test
  void verify_versionLost_isFound() {
    delete(Table.TOC_NODES, Keys.node(day, 1));
    assertFound("toc_latest", day.value(), "leads to no version");
  }

  @Test
  void verify_nodeDamaged_isFoundAndLeftOutOfLists() {
    put(Table.TOC_NODES, Keys.node(day, 1), RUBBISH);
    assertFound("toc_nodes", day.value(), "cannot be read");
    try (RocksStore store = open()) {
      assertThat(store.toc().nodes(List.of(day, segment.node()))).hasSize(1);
    }
  }

  @Test
  void verify_childLost_isFound() {
    delete(Table.TOC_LATEST, Keys.latest(day));
    assertFound("toc_nodes", "toc:week:2026:W05", "has no child");
    assertFound("toc_nodes", segment.node().value(), "is not among the children");
    assertFound("toc_dirty", day.value(), "does not exist");
  }

  @Test
  void verify_childOfAnotherPeriod_isFound() {
    NodeId stranger = NodeId.parse("toc:day:2026-02-14").orElseThrow();
    put(
        Table.TOC_NODES,
        Keys.node(NodeId.parse("toc:week:2026:W05").orElseThrow(), 1),
        NodeCodec.encode(
            TestToc.node(
                NodeId.parse("toc:week:2026:W05").orElseThrow(), 1, List.of(day, stranger))));
    assertFound("toc_nodes", "toc:week:2026:W05", "has a child of another node");
  }

  @Test
  void verify_gripLost_isFound() {
    delete(Table.GRIPS, Keys.grip(grip.id()));
    assertFound("toc_nodes", segment.node().value(), "has no grip");
  }

  @Test
  void verify_gripIndexWrong_isFound() {
    delete(Table.GRIPS, Keys.nodeGrip(segment.node(), grip.id()));
    put(Table.GRIPS, Keys.nodeGrip(NodeId.year(1999), grip.id()), NOTHING);
    assertFound("grips", segment.node().value(), "index of grips");
    assertFound("grips", "node:toc:year:1999", "node that no longer exists");
  }

  @Test
  void verify_excerptNotVerbatim_isFound() {
    var other = TestGrips.grip(segment.node(), events.get(0), events.get(2), "never said");
    put(Table.GRIPS, Keys.grip(other.id()), GripCodec.encode(other));
    assertFound("grips", other.id().value(), "occurs in no event");
  }

  @Test
  void verify_excerptOutsideTheRange_isFound() {
    var other = TestGrips.grip(segment.node(), events.get(0), events.get(1), "message 2");
    put(Table.GRIPS, Keys.grip(other.id()), GripCodec.encode(other));
    assertFound("grips", other.id().value(), "occurs in no event");
  }

  @Test
  void verify_gripOverTwoSessions_isFound() {
    var other = TestGrips.grip(segment.node(), events.get(0), moved, "message 0");
    put(Table.GRIPS, Keys.grip(other.id()), GripCodec.encode(other));
    assertFound("grips", other.id().value(), "no range within one session");
  }

  @Test
  void verify_segmentIndexWrong_isFound() {
    delete(Table.SEGMENTS, Keys.segmentIndex(segment.session(), segment.first()));
    delete(Table.SEGMENTS, Keys.open(segment));
    assertFound("segments", segment.id().value(), "has no index row");
    assertFound("segments", segment.id().value(), "open without an open row");
  }

  @Test
  void verify_segmentsOverlap_isFound() {
    Segment inside = TestSegments.segment(Boundary.GAP, events.subList(1, 3));
    try (RocksStore store = open()) {
      store.commit(Commit.of(new Change.PutSegment(inside)));
    }
    assertFound("segments", "idx:s", "overlaps");
  }

  @Test
  void verify_segmentOfStrangers_isFound() {
    Segment strange = TestSegments.segment(Boundary.GAP, TestEvents.messages("nobody", 1));
    try (RocksStore store = open()) {
      store.commit(Commit.of(new Change.PutSegment(strange)));
    }
    assertFound("segments", strange.id().value(), "names events");
  }

  @Test
  void verify_dirtyMarkUncounted_isFound() {
    put(Table.TOC_DIRTY, Keys.mark(NodeId.year(2026)), NOTHING);
    assertFound("toc_dirty", "all", "2 rows, but 1 were counted");
    try (RocksStore store = open()) {
      assertThat(store.toc().dirty(TocLevel.YEAR, 9)).hasSize(1);
    }
  }

  @Test
  void verify_upgradeMarkOfNoNode_isFound() {
    NodeId nobody = NodeId.year(1999);
    put(Table.TOC_UPGRADES, Keys.mark(nobody), NOTHING);
    assertFound("toc_upgrades", nobody.value(), "marks a node that does not exist");
  }

  @Test
  void verify_callDamaged_isFoundAndLeftOut() {
    ModelCall first = TestCalls.call(TestEvents.START, 1);
    ModelCall second = TestCalls.call(TestEvents.START.plusSeconds(1), 2);
    try (RocksStore store = open()) {
      store.commit(Commit.of(new Change.RecordCall(first), new Change.RecordCall(second)));
      assertThat(store.verify(10)).isEmpty();
    }
    put(Table.USAGE, Keys.call(first), RUBBISH);
    assertFound("usage", first.id(), "cannot be read");
    try (RocksStore store = open()) {
      var found = new ArrayList<ModelCall>();
      store.ledger().modelCalls(TestEvents.START, TestEvents.START.plusSeconds(9), found::add);
      assertThat(found).containsExactly(second);
    }
  }

  @Test
  void verify_callUnderTheKeyOfAnother_isFound() {
    ModelCall call = TestCalls.call(TestEvents.START, 1);
    ModelCall other = TestCalls.call(TestEvents.START, 2);
    put(Table.USAGE, Keys.call(other), CallCodec.encode(call));
    assertFound("usage", other.id(), "is stored under the key of another call");
  }

  @Test
  void verify_recordDamaged_isFoundAndLeftOut() {
    var first = new StoredRecord("memory:1", "one");
    var second = new StoredRecord("memory:2", "two");
    try (RocksStore store = open()) {
      store.commit(Commit.of(new Change.PutRecord(first), new Change.PutRecord(second)));
      assertThat(store.verify(10)).isEmpty();
    }
    put(Table.RECORDS, Keys.record("memory:1"), NO_UTF8);
    assertFound("records", "memory:1", "cannot be read");
    try (RocksStore store = open()) {
      assertThat(store.records().records("memory:", Optional.empty(), 9)).containsExactly(second);
      assertThatThrownBy(() -> store.records().record("memory:1"))
          .isInstanceOfSatisfying(
              MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT_RECORD));
      store.commit(Commit.of(new Change.PutRecord(first)));
      assertThat(store.records().record("memory:1")).contains("one");
      assertThat(store.verify(10)).isEmpty();
    }
  }

  @Test
  void verify_recordWithAnInvalidKey_isFoundAndLeftOut() {
    put(Table.RECORDS, NO_UTF8, "text".getBytes(StandardCharsets.UTF_8));
    put(Table.RECORDS, new byte[StoredRecord.MAX_KEY_BYTES + 1], NOTHING);
    assertFound("records", "\uFFFD", "cannot be read");
    assertFound("records", "\0\0\0", "has 1025 bytes");
    try (RocksStore store = open()) {
      assertThat(store.records().records("", Optional.empty(), 9)).isEmpty();
    }
  }

  @Test
  void verify_recordUncounted_isFound() {
    put(Table.RECORDS, Keys.record("memory:1"), "text".getBytes(StandardCharsets.UTF_8));
    assertFound("records", "all", "1 rows, but 0 were counted");
  }

  @Test
  void verify_limit_isKept() {
    delete(Table.EVENTS, Keys.event(events.get(0).key()));
    delete(Table.EVENTS, Keys.event(events.get(1).key()));
    try (RocksStore store = open()) {
      assertThat(store.verify(2)).hasSize(2);
    }
  }

  private RocksStore open() {
    return RocksStore.open(directory, StorageConfig.DEFAULT, InstantSource.system());
  }

  private void assertFound(String table, String key, String problem) {
    try (RocksStore store = open()) {
      assertThat(store.verify(100))
          .anyMatch(finding ->
              finding.table().equals(table)
                  && finding.key().contains(key)
                  && finding.problem().contains(problem));
    }
  }

  private void put(Table table, byte[] key, byte[] value) {
    try (Database engine = engine()) {
      var batch = new RocksBatch(engine::number, 0);
      batch.put(table, key, value);
      engine.write(batch.toBytes());
    } catch (RocksDBException e) {
      throw new AssertionError(e);
    }
  }

  private void delete(Table table, byte[] key) {
    try (Database engine = engine()) {
      var batch = new RocksBatch(engine::number, 0);
      batch.delete(table, key);
      engine.write(batch.toBytes());
    } catch (RocksDBException e) {
      throw new AssertionError(e);
    }
  }

  private Database engine() {
    return Database.open(directory.resolve("rocksdb"), StorageConfig.DEFAULT);
  }
}
