package dev.agentmemory.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.storage.codec.StoreHeader;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.testkit.TestCalls;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.store.GoldenStore;
import dev.agentmemory.types.Bullet;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.ModelCall;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/// Stores of former formats open, hold what they held, and take what only today's format has.
@Tag("slow")
final class GoldenStoreTest {

  private static final int EVENTS = GoldenStore.EVENTS;
  private static final int NEWEST = StoreHeader.CURRENT_VERSION;
  private static final EventId OTHER_TIME = new EventId("01ARZ3NDEKTSV4RRFFQ69G5FAV");
  private static final NodeId DAY = NodeId.day(LocalDate.of(2026, 1, 14));
  private static final InstantSource CLOCK = () -> Instant.parse("2026-12-01T00:00:00Z");
  private static final Instant FAR = Instant.parse("2286-01-01T00:00:00Z");

  @TempDir private Path temp;

  @ParameterizedTest
  @EnumSource(names = {"FORMAT_1", "FORMAT_2", "FORMAT_4"})
  void formerFormat_opens_andHoldsWhatItHeld(GoldenStore kept) throws IOException {
    try (RocksStore store = open(kept.unpack(temp))) {
      assertWhole(store);
    }
  }

  @Test
  void formatTwo_nodeThatWentBack_saysToWhichVersion() throws IOException {
    try (RocksStore store = open(GoldenStore.FORMAT_2.unpack(temp))) {
      TocNode latest = store.toc().node(DAY).orElseThrow();
      assertThat(latest.edition().version()).isEqualTo(4);
      assertThat(latest.edition().revertedTo()).contains(1);
      assertThat(latest.edition().input()).isEmpty();
      assertThat(latest.bullets()).isEqualTo(store.toc().node(DAY, 1).orElseThrow().bullets());
    }
  }

  @Test
  void formatFour_holdsWhatItsFormatAdded() throws IOException {
    Path directory = GoldenStore.FORMAT_4.unpack(temp);
    StoreMarker former = StoreMarker.of(directory).orElseThrow();
    assertThat(former.format()).isEqualTo(4);
    assertThat(RocksStore.formerFormat(directory)).contains(4);
    try (RocksStore store = open(directory)) {
      List<EventKey> extra =
          store.sessions().eventsAfter(new SessionId("golden-extra"), Optional.empty(), 10);
      assertThat(extra).hasSize(4).allMatch(key -> key.position() > 0);
      assertThat(calls(store))
          .isNotEmpty()
          .allMatch(call -> call.outcome() == ModelCall.Outcome.FAILED);
      assertThat(store.toc().upgrades(TocLevel.SEGMENT, Optional.empty(), 10)).isNotEmpty();
      assertThat(store.toc().node(DAY).orElseThrow().edition().revertedTo()).contains(1);
      assertThat(store.notes()).isEmpty();
    }
    assertThat(RocksStore.formerFormat(directory)).isEmpty();
    assertThat(StoreMarker.of(directory).orElseThrow())
        .isEqualTo(StoreMarker.of(former.header(), 1, StoreMarker.State.READY));
  }

  @Test
  void formatFour_recovered_isWholeAndOfTheNewestFormat() throws IOException {
    Path directory = GoldenStore.FORMAT_4.unpack(temp);
    Path target = temp.resolve("recovered");
    RecoveryReport report =
        new StoreRecovery(
                StoreLocation.of(directory), StoreLocation.of(target), StorageConfig.DEFAULT, CLOCK)
            .run();
    assertThat(report.isWhole()).as(report.toString()).isTrue();
    assertThat(report.events()).isEqualTo(EVENTS);
    assertThat(report.records()).isEqualTo(RecoveryReport.Records.NONE);
    assertThat(report.rebuilds()).isFalse();
    assertThat(StoreMarker.of(target).map(StoreMarker::format)).contains(NEWEST);
    assertThat(StoreMarker.of(directory).map(StoreMarker::format)).contains(4);
    try (RocksStore store = open(target)) {
      assertWhole(store);
    }
  }

  @Test
  void formatThree_eventsOfOneTime_keepTheirPlacesAndComeFirst() throws IOException {
    var tied = new SessionId("tied");
    try (RocksStore store = open(GoldenStore.FORMAT_3.unpack(temp))) {
      List<EventKey> kept = store.sessions().eventsAfter(tied, Optional.empty(), 10);
      assertThat(kept).hasSize(5).isSorted().allMatch(key -> key.position() == 0);
      List<Event> events = store.events().events(kept);
      assertThat(events).extracting(Event::position).containsOnly(0L);
      assertThat(store.sessions().session(tied).orElseThrow().last()).isEqualTo(kept.getLast());

      // The same file again, now with its line numbers.
      for (Event event : events) {
        assertThat(store.commit(Commit.append(List.of(event.withPosition(1 + kept.size())))))
            .containsExactly(new Receipt.AlreadyKnown(event.id()));
      }
      Event more = TestEvents.message("tied", kept.getFirst().timestamp(), "more").withPosition(0);
      store.commit(Commit.append(List.of(more)));
      List<EventKey> now = store.sessions().eventsAfter(tied, Optional.empty(), 10);
      assertThat(now.subList(0, 5)).isEqualTo(kept);
      assertThat(now.getLast()).isEqualTo(more.withPosition(6).key());
      assertThat(store.verify(10)).isEmpty();
    }
  }

  /// A program that does not know a table, or the format in the header, refuses a store.
  @ParameterizedTest
  @CsvSource({"FORMAT_3, 3", "FORMAT_4, 4"})
  void laterFormats_openedByToday_areRefusedByFormerPrograms(GoldenStore kept, int format)
      throws IOException, RocksDBException {
    Path directory = kept.unpack(temp);
    assertThat(migrate(directory, /* dryRun= */ true))
        .isEqualTo(new MigrationReport(format, NEWEST, 0, 0, 0));
    assertThat(tables(directory)).doesNotContain("records");
    assertThat(StoreDirectory.contents(directory).format()).isEqualTo(format);
    assertThat(migrate(directory, /* dryRun= */ false))
        .isEqualTo(new MigrationReport(format, NEWEST, 0, 0, 0));
    assertThat(tables(directory)).contains("records");
    assertThat(StoreDirectory.contents(directory).format()).isEqualTo(NEWEST);
    assertThat(migrate(directory, /* dryRun= */ true))
        .isEqualTo(new MigrationReport(NEWEST, NEWEST, 0, 0, 0));
  }

  @Test
  void formatTwo_ofTwoWorkspaces_keepsThemApart() throws IOException {
    try (RocksStore store = open(GoldenStore.FORMAT_2_UNIFIED.unpack(temp))) {
      assertThat(store.verify(10)).isEmpty();
      assertThat(store.sessions().sessions(Optional.empty(), 10))
          .extracting(Session::id)
          .extracting(SessionId::value)
          .containsExactly("@alpha/golden-extra", "@beta/golden-extra");
      for (String name : List.of("alpha", "beta")) {
        var workspace = new WorkspaceName(name);
        assertThat(store.events().event(OTHER_TIME.in(workspace))).isPresent();
        assertThat(store.toc().node(DAY.in(workspace)).orElseThrow().bullets()).isNotEmpty();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FORMAT_1", "FORMAT_2", "FORMAT_4"})
  void formerFormat_eventAgain_isKnown_withOtherContentAConflict(GoldenStore kept)
      throws IOException {
    try (RocksStore store = open(kept.unpack(temp))) {
      assertKnown(store);
      Event stored = store.events().event(OTHER_TIME).orElseThrow();
      assertThat(store.commit(Commit.append(List.of(TestEvents.withText(stored, "other words")))))
          .containsExactly(new Receipt.Conflict(OTHER_TIME));
    }
  }

  @ParameterizedTest
  @EnumSource
  void formerFormat_whatOnlyTheNewestHas_isKeptOverAnotherOpening(GoldenStore kept)
      throws IOException {
    Path directory = kept.unpack(temp);
    boolean hasCalls = kept == GoldenStore.FORMAT_4;
    ModelCall call = TestCalls.call(CLOCK.instant(), 1);
    var record = new StoredRecord("memory:1", "text");
    NodeId node;
    try (RocksStore store = open(directory)) {
      assertThat(calls(store).isEmpty()).isNotEqualTo(hasCalls);
      for (TocLevel level : TocLevel.values()) {
        assertThat(hasCalls || store.toc().upgrades(level, Optional.empty(), 10).isEmpty())
            .isTrue();
      }
      assertThat(store.records().records("", Optional.empty(), 10)).isEmpty();
      assertThat(store.usage().records()).isZero();
      node = store.toc().nodeIds(TocLevel.DAY, Optional.empty(), 1).getFirst();
      store.commit(
          Commit.of(
              new Change.MarkUpgrade(node),
              new Change.RecordCall(call),
              new Change.PutRecord(record)));
    }
    try (RocksStore store = open(directory)) {
      assertThat(calls(store)).endsWith(call);
      assertThat(store.toc().upgrades(TocLevel.DAY, Optional.empty(), 100)).contains(node);
      assertThat(store.records().records("", Optional.empty(), 10)).containsExactly(record);
      assertThat(store.usage().records()).isEqualTo(1);
      assertThat(store.verify(10)).isEmpty();
    }
  }

  @Test
  void formatOne_newEventsOnTop_staysWholeOverAnotherOpening() throws IOException {
    Path directory = GoldenStore.FORMAT_1.unpack(temp);
    Event event = TestEvents.message("new", CLOCK.instant(), "text");
    try (RocksStore store = open(directory)) {
      store.commit(Commit.append(List.of(event)));
    }
    try (RocksStore store = open(directory)) {
      assertThat(store.events().event(event.id())).contains(event);
      assertThat(store.stats().events()).isEqualTo(EVENTS + 1);
      assertThat(store.verify(10)).isEmpty();
    }
    assertThat(migrate(directory, /* dryRun= */ true).old()).isEqualTo(EVENTS);
  }

  @Test
  void formatTwo_openedOnce_hasNothingToMigrate() throws IOException {
    Path directory = GoldenStore.FORMAT_2.unpack(temp);
    open(directory).close();
    assertThat(migrate(directory, /* dryRun= */ true))
        .isEqualTo(new MigrationReport(NEWEST, NEWEST, 0, 0, 0));
  }

  @Test
  void migrate_dryRun_countsAndChangesNothing() throws IOException, RocksDBException {
    Path directory = GoldenStore.FORMAT_1.unpack(temp);
    List<String> tables = tables(directory);
    var expected = new MigrationReport(1, NEWEST, EVENTS, EVENTS, 0);
    assertThat(migrate(directory, /* dryRun= */ true)).isEqualTo(expected);
    assertThat(migrate(directory, /* dryRun= */ true)).isEqualTo(expected);
    // The program that wrote it would refuse it with more.
    assertThat(tables(directory))
        .isEqualTo(tables)
        .doesNotContain("usage", "toc_upgrades", "records");
  }

  @Test
  void migrate_rewritesEveryOldRow_once() throws IOException {
    Path directory = GoldenStore.FORMAT_1.unpack(temp);
    assertThat(migrate(directory, /* dryRun= */ false))
        .isEqualTo(new MigrationReport(1, NEWEST, EVENTS, EVENTS, 0));
    assertThat(migrate(directory, /* dryRun= */ false))
        .isEqualTo(new MigrationReport(NEWEST, NEWEST, 0, 0, 0));
    try (RocksStore store = open(directory)) {
      assertWhole(store);
      assertKnown(store);
    }
  }

  @Test
  void migrate_formatTwo_hasNoRowToRewrite() throws IOException {
    Path directory = GoldenStore.FORMAT_2.unpack(temp);
    var expected = new MigrationReport(2, NEWEST, 0, 0, 0);
    assertThat(migrate(directory, /* dryRun= */ true)).isEqualTo(expected);
    assertThat(migrate(directory, /* dryRun= */ false)).isEqualTo(expected);
    assertThat(migrate(directory, /* dryRun= */ false))
        .isEqualTo(new MigrationReport(NEWEST, NEWEST, 0, 0, 0));
    try (RocksStore store = open(directory)) {
      assertWhole(store);
      assertKnown(store);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FORMAT_1", "FORMAT_2", "FORMAT_4"})
  void migrate_storeFromBeforeTheWitness_startsIt(GoldenStore kept) throws IOException {
    var location =
        new StoreLocation(kept.unpack(temp), Optional.of(temp.resolve("witness").resolve("kept")));
    RocksStore.migrate(location, StorageConfig.DEFAULT, CLOCK, /* dryRun= */ false);
    try (RocksStore store = RocksStore.open(location, StorageConfig.DEFAULT, CLOCK)) {
      assertThat(store.notes()).isEmpty();
      assertWhole(store);
    }
  }

  @Test
  void migrate_noStore_isNotFound_andMakesNone() {
    Path nowhere = temp.resolve("nowhere");
    assertThatThrownBy(() -> migrate(nowhere, /* dryRun= */ false))
        .isInstanceOfSatisfying(
            MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND));
    assertThat(nowhere).doesNotExist();
  }

  @Test
  void migrate_openStore_isRefused() throws IOException {
    Path directory = GoldenStore.FORMAT_1.unpack(temp);
    try (RocksStore store = open(directory)) {
      assertThat(store.problem()).isEmpty();
      assertThatThrownBy(() -> migrate(directory, /* dryRun= */ false))
          .isInstanceOfSatisfying(
              MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFLICT));
    }
  }

  private static void assertWhole(RocksStore store) {
    assertThat(store.verify(10)).isEmpty();
    assertThat(store.stats().events()).isEqualTo(EVENTS);
    List<Event> extra =
        store
            .events()
            .events(
                Instant.parse("2026-01-14T09:00:00Z"),
                Instant.parse("2026-01-14T11:00:00Z"),
                Optional.empty(),
                100);
    assertThat(extra)
        .filteredOn(event -> event.session().equals(new SessionId("golden-extra")))
        .hasSize(4)
        .anySatisfy(event -> assertThat(event.text()).contains("\0", "é", "漢字", "🙂"))
        .anySatisfy(event -> assertThat(event.id()).isEqualTo(OTHER_TIME));
    TocNode year = store.toc().node(NodeId.year(2026)).orElseThrow();
    assertThat(year.bullets()).isNotEmpty();
    for (Bullet bullet : year.bullets()) {
      assertThat(bullet.grips())
          .isNotEmpty()
          .allMatch(grip -> store.grips().grip(grip).isPresent());
    }
  }

  private static void assertKnown(RocksStore store) {
    Event stored = store.events().event(OTHER_TIME).orElseThrow();
    assertThat(store.commit(Commit.append(List.of(stored))))
        .containsExactly(new Receipt.AlreadyKnown(OTHER_TIME));
  }

  private static List<ModelCall> calls(RocksStore store) {
    var found = new ArrayList<ModelCall>();
    store.ledger().modelCalls(Instant.EPOCH, FAR, found::add);
    return found;
  }

  private static List<String> tables(Path directory) throws RocksDBException {
    RocksDB.loadLibrary();
    try (var options = new Options()) {
      return RocksDB.listColumnFamilies(options, directory.resolve("rocksdb").toString()).stream()
          .map(name -> new String(name, StandardCharsets.UTF_8))
          .toList();
    }
  }

  private static RocksStore open(Path directory) {
    return RocksStore.open(directory, StorageConfig.DEFAULT, CLOCK);
  }

  private static MigrationReport migrate(Path directory, boolean dryRun) {
    return RocksStore.migrate(StoreLocation.of(directory), StorageConfig.DEFAULT, CLOCK, dryRun);
  }
}
