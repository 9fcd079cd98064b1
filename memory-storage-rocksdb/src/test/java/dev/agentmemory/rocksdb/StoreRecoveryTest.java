package dev.agentmemory.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.rocksdb.internal.engine.Database;
import dev.agentmemory.rocksdb.internal.engine.RocksBatch;
import dev.agentmemory.rocksdb.internal.home.Witness;
import dev.agentmemory.storage.codec.Keys;
import dev.agentmemory.storage.codec.OutboxCodec;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Checkpoint;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.OutboxEntry;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.TestGrips;
import dev.agentmemory.testkit.TestSegments;
import dev.agentmemory.testkit.TestToc;
import dev.agentmemory.types.Boundary;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.Grip;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.TocLevel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdb.RocksDBException;

/// What is left of a damaged store comes back, and what does not is named.
@Tag("slow")
final class StoreRecoveryTest {

  private static final NodeId DAY = NodeId.parse("toc:day:2026-01-30").orElseThrow();

  @TempDir private Path data;
  private RecoveredStore folders = new RecoveredStore(Path.of(""));
  private Path store = Path.of("");
  private Path tables = Path.of("");
  private final List<Event> flushed = TestEvents.messages("flushed", 300);
  private final List<Event> logged = TestEvents.messages("logged", 300);
  private final Segment segment = TestSegments.segment(Boundary.OPEN, flushed.subList(0, 3));
  private final Grip grip = TestGrips.grip(segment.node(), flushed.getFirst());

  /// The first events are in table files, the others in the log only.
  @BeforeEach
  void fill() throws IOException {
    folders = new RecoveredStore(data);
    store = folders.store();
    tables = folders.tables();
    try (RocksStore opened = folders.open(store)) {
      opened.commit(Commit.append(flushed));
    }
    folders.fillAndKill(
        opened -> opened.commit(Commit.append(logged)),
        witness -> StoreFolders.awaitWitness(witness, 600));
  }

  @ParameterizedTest
  @ValueSource(strings = {"CURRENT", "MANIFEST", "OPTIONS", "IDENTITY"})
  void recover_withoutAFileThatHoldsNoRow_bringsBackAll(String kind) throws IOException {
    Files.delete(folders.file(kind));
    assertAllBack(folders.recover());
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.2, 0.4, 0.6, 0.8, 0.99})
  void recover_withAFlippedBitInTheManifest_bringsBackAll(double place) throws IOException {
    StoreFolders.flip(folders.file("MANIFEST"), place);
    assertAllBack(folders.recover());
  }

  @Test
  void recover_wholeStore_keepsTheRepeatsKnown() {
    assertAllBack(folders.recover());
    try (RocksStore opened = folders.open(folders.target())) {
      assertThat(opened.commit(Commit.append(flushed)))
          .allMatch(Receipt.AlreadyKnown.class::isInstance);
      assertThat(opened.notes()).isEmpty();
    }
  }

  @Test
  void recover_namesEveryEventInTheOutboxBehindWhatWasKnown() {
    folders.recover();
    try (RocksStore opened = folders.open(folders.target())) {
      List<OutboxEntry> entries = opened.outbox().entries(0, 1000);
      assertThat(entries).hasSize(600);
      assertThat(entries.getFirst().sequence()).isEqualTo(601);
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.95, 0.98, 0.995})
  void recover_tableWithAFlippedBitBehindItsRows_isRepaired(double place) throws IOException {
    StoreFolders.flip(table(Table.EVENTS), place);
    assertAllBack(folders.recover());
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.00005, 0.2, 0.5, 0.8, 0.99})
  void recover_logWithAFlippedBit_isRepaired(double place) throws IOException {
    StoreFolders.flip(folders.file(".log"), place);
    RecoveryReport report = folders.recover();
    assertAllBack(report);
    assertThat(report.damaged()).anyMatch(what -> what.contains("flipped bit"));
  }

  @Test
  void recover_logWithAnOverwrittenRecord_namesWhatIsMissing() throws IOException {
    StoreFolders.overwrite(folders.file(".log"), 0.5, 64);
    RecoveryReport report = folders.recover();
    assertThat(report.events()).isBetween(300L, 599L);
    assertThat(report.missing() + report.sequences().size()).isPositive();
    assertThat(report.damaged()).anyMatch(what -> what.contains("cannot be read"));
    try (RocksStore opened = folders.open(folders.target())) {
      assertThat(opened.verify(10)).isEmpty();
      assertThat(opened.stats().events()).isEqualTo(report.events());
    }
  }

  @Test
  void recover_tableWithAFlippedBitInARow_bringsBackAllButItsBlock() throws IOException {
    StoreFolders.flip(table(Table.EVENTS), 0.3);
    RecoveryReport report = folders.recover();
    assertThat(report.events()).isBetween(500L, 599L);
    assertThat(report.missing()).isEqualTo(600 - report.events());
    assertThat(report.sessions())
        .singleElement()
        .satisfies(loss -> {
          assertThat(loss.session()).isEqualTo(new SessionId("flushed"));
          assertThat(loss.events()).isEqualTo(report.missing());
          assertThat(loss.first()).isPresent();
        });
    try (RocksStore opened = folders.open(folders.target())) {
      assertThat(opened.verify(10)).isEmpty();
      assertThat(opened.stats().events()).isEqualTo(report.events());
    }
  }

  @Test
  void recover_withoutItsLog_namesTheSequencesThatTheWitnessSaw() throws IOException {
    try (RocksStore opened = folders.open(store)) {
      assertThat(opened.stats().events()).isEqualTo(600);
    }
    // The orderly stop has put all into tables: the last ones go.
    Files.delete(table(Table.EVENTS));
    RecoveryReport report = folders.recover();
    assertThat(report.isWhole()).isFalse();
    assertThat(report.events() + report.missing()).as(report.toString()).isEqualTo(600);
    assertThat(report.sequences()).isNotEmpty();
  }

  @Test
  void recover_targetThatIsThere_isRefusedAndKept() throws IOException {
    Files.createDirectories(folders.target());
    Path kept = Files.writeString(folders.target().resolve("notes.txt"), "mine");
    assertThatThrownBy(folders::recover).hasMessageContaining("already exists");
    assertThat(kept).hasContent("mine");
  }

  @Test
  void recover_storeThatIsOpen_isRefused() {
    try (RocksStore _ = folders.open(store)) {
      assertThatThrownBy(folders::recover).hasMessageContaining("is in use by another process");
      assertThat(folders.target()).doesNotExist();
    }
  }

  @Test
  void recover_leavesTheDamagedStoreAsItIs() throws IOException {
    StoreFolders.flip(table(Table.EVENTS), 0.3);
    List<String> before = StoreFolders.digests(store);
    folders.recover();
    assertThat(StoreFolders.digests(store)).isEqualTo(before);
    assertThat(data.resolve("recovered")).isDirectoryNotContaining("glob:**.copy");
  }

  @Test
  void recover_headerUnreadable_takesItFromTheMarker() throws IOException {
    String id = StoreMarker.of(store).orElseThrow().storeId();
    try (Stream<Path> files = Files.list(tables)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".log")).toList()) {
        Files.delete(file);
      }
    }
    Files.delete(table(Table.META));
    RecoveryReport report = folders.recover();
    assertThat(report.events()).isEqualTo(300);
    assertThat(report.headerLost()).isFalse();
    assertThat(StoreMarker.of(folders.target()).orElseThrow().storeId()).isEqualTo(id);
    try (RocksStore opened = folders.open(folders.target())) {
      assertThat(opened.commit(Commit.append(flushed)))
          .allMatch(Receipt.AlreadyKnown.class::isInstance);
    }
  }

  @Test
  void recover_witnessOfTheGenerationBefore_saysNothingIsMissing() throws IOException {
    // As a restored store of 600 events, whose former generation had come to 900.
    StoreMarker marker = StoreMarker.of(store).orElseThrow();
    marker.nextGeneration().write(store);
    Path witness = data.resolve("witness").resolve("default");
    Witness.start(witness, new Witness.Mark(marker.storeId(), 1, 900, 0, "", 0)).close();
    assertAllBack(folders.recover());
    try (RocksStore opened = folders.open(folders.target())) {
      assertThat(opened.outbox().entries(0, 1).getFirst().sequence()).isEqualTo(901);
    }
  }

  @Test
  void recover_identityLost_opensBesideTheFormerWitness() throws IOException {
    try (Stream<Path> files = Files.list(tables)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".log")).toList()) {
        Files.delete(file);
      }
    }
    Files.delete(table(Table.META));
    Files.delete(store.resolve(StoreMarker.FILE));
    assertThat(folders.recover().headerLost()).isTrue();
    StoreFolders.delete(store);
    Files.move(folders.target(), store);
    try (RocksStore opened = folders.open(store)) {
      assertThat(opened.stats().events()).isEqualTo(300);
    }
  }

  @Test
  void recover_wholeStore_takesOverWhatFollowsFromEvents() {
    putContents();
    RecoveryReport report = folders.recover();
    assertThat(report.rebuilds()).isFalse();
    try (RocksStore opened = folders.open(folders.target())) {
      assertThat(opened.toc().node(segment.node())).isPresent();
      assertThat(opened.segments().segment(segment.id())).contains(segment);
      assertThat(opened.grips().gripsOf(segment.node())).containsExactly(grip.id());
      assertThat(opened.toc().dirty(TocLevel.DAY, 9)).containsExactly(DAY);
      assertThat(opened.stats().dirtyNodes()).isEqualTo(1);
      assertThat(opened.checkpoints().checkpoint("job:rollup")).isPresent();
      assertThat(opened.verify(10)).isEmpty();
    }
  }

  /// The other rows of it name what is gone; all of them go, and whoever makes them begins anew.
  @ParameterizedTest
  @EnumSource(names = {"TOC_NODES", "TOC_LATEST", "SEGMENTS", "GRIPS"})
  void recover_contentsDamaged_bringsBackTheEventsAndSaysThatTheContentsAreMadeAnew(Table table)
      throws IOException {
    putContents();
    StoreFolders.overwrite(table(table), 0.02, 16);
    assertContentsDropped();
  }

  @ParameterizedTest
  @EnumSource(names = {"TOC_NODES", "SEGMENTS", "GRIPS"})
  void recover_contentsWithoutATable_bringsBackTheEventsAndSaysThatTheContentsAreMadeAnew(
      Table table) throws IOException {
    putContents();
    Files.delete(table(table));
    assertContentsDropped();
  }

  private void assertContentsDropped() {
    RecoveryReport report = folders.recover();
    assertThat(report.rebuilds()).isTrue();
    assertAllBack(report);
    try (RocksStore opened = folders.open(folders.target())) {
      for (TocLevel level : TocLevel.values()) {
        assertThat(opened.toc().nodeIds(level, Optional.empty(), 9)).isEmpty();
        assertThat(opened.toc().dirty(level, 9)).isEmpty();
      }
      assertThat(opened.toc().node(segment.node())).isEmpty();
      assertThat(opened.segments().segment(segment.id())).isEmpty();
      assertThat(opened.segments().segmentsAfter(segment.session(), Optional.empty(), 9)).isEmpty();
      assertThat(opened.grips().grip(grip.id())).isEmpty();
      assertThat(opened.stats().dirtyNodes()).isZero();
      // The worker begins with the first entry, and each event has one.
      assertThat(opened.checkpoints().checkpoint("toc")).isEmpty();
      assertThat(opened.outbox().entries(0, 1000)).hasSize(600);
    }
  }

  @Test
  void recover_moreLossesThanTheReportTakes_saysHowMany() throws RocksDBException {
    int lost = RecoveryReport.MOST + 5;
    try (Database engine = Database.open(tables, StorageConfig.DEFAULT)) {
      var batch = new RocksBatch(engine::number, 0);
      for (int i = 0; i < lost; i++) {
        Event gone = TestEvents.message("gone" + i, TestEvents.START, "text");
        batch.put(Table.SESSIONS, Keys.sessionEvent(gone), new byte[0]);
        batch.put(Table.OUTBOX, Keys.outbox(1000 + 2L * i), OutboxCodec.encode(gone.key()));
      }
      engine.write(batch.toBytes());
    }
    RecoveryReport report = folders.recover();
    assertThat(report.sessions()).hasSize(RecoveryReport.MOST);
    assertThat(report.sequences()).hasSize(RecoveryReport.MOST);
    assertThat(report.more()).isEqualTo(new RecoveryReport.More(5, 5, 5));
    assertThat(report.missing()).isEqualTo(lost);
    assertThat(report.missingSequences()).isEqualTo(lost);
  }

  /// A small table of contents, all of it in table files.
  private void putContents() {
    try (RocksStore opened = folders.open(store)) {
      var changes = new ArrayList<>(TestToc.putTree(segment, List.of(grip)));
      changes.add(new Change.MarkDirty(DAY));
      opened.commit(Commit.of(changes));
      opened.commit(Commit.of(Checkpoint.at("toc", 600)));
      opened.commit(Commit.of(Checkpoint.at("job:rollup", 1)));
    }
    try (RocksStore opened = folders.open(store)) {
      opened.compact();
    }
  }

  private void assertAllBack(RecoveryReport report) {
    assertThat(report.isWhole()).as(report.toString()).isTrue();
    assertThat(report.events()).isEqualTo(600);
    try (RocksStore opened = folders.open(folders.target())) {
      assertThat(opened.events().events(flushed.stream().map(Event::key).toList()))
          .isEqualTo(flushed);
      assertThat(opened.events().events(logged.stream().map(Event::key).toList()))
          .isEqualTo(logged);
      assertThat(opened.verify(10)).isEmpty();
      assertThat(opened.sessions().sessions(Optional.empty(), 10)).hasSize(2);
    }
  }

  /// The newest file of a table.
  private Path table(Table table) throws IOException {
    return folders.tableFiles(table).getLast();
  }
}
