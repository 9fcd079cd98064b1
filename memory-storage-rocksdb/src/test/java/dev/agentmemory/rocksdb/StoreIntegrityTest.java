package dev.agentmemory.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.config.SettingReader;
import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.rocksdb.internal.engine.CurrentFile;
import dev.agentmemory.rocksdb.internal.home.StoreLock;
import dev.agentmemory.storage.codec.StoreHeader;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A store that lost something is refused and left as it is; whatever is acknowledged is either
/// served or reported as missing.
@Tag("slow")
final class StoreIntegrityTest {

  private static final int EVENTS = 400;
  private static final InstantSource CLOCK = InstantSource.system();

  @TempDir private Path data;
  private Path store = Path.of("");
  private Path tables = Path.of("");
  private Path witness = Path.of("");

  @BeforeEach
  void names() {
    store = data.resolve("db").resolve("default");
    tables = store.resolve("rocksdb");
    witness = data.resolve("witness").resolve("default");
  }

  @Test
  void open_currentRemoved_isRefusedEachTimeAndUnchanged() throws IOException {
    fill(TestEvents.messages("s", EVENTS));
    Files.delete(tables.resolve("CURRENT"));
    assertRefusedUnchanged("CURRENT");
    assertRefusedUnchanged("CURRENT");
    assertRefusedUnchanged("CURRENT");
  }

  @Test
  void open_engineFolderRemoved_isRefused() throws IOException {
    fill(TestEvents.messages("s", 3));
    StoreFolders.delete(tables);
    assertRefusedUnchanged("rocksdb");
  }

  @Test
  void open_engineFolderEmptied_isRefused() throws IOException {
    fill(TestEvents.messages("s", 3));
    StoreFolders.delete(tables);
    Files.createDirectory(tables);
    assertRefusedUnchanged("CURRENT");
  }

  @Test
  void open_everythingButTheLockRemoved_isRefused() throws IOException {
    fill(TestEvents.messages("s", 3));
    StoreFolders.delete(tables);
    Files.delete(store.resolve(StoreMarker.FILE));
    Files.delete(witness);
    assertRefusedUnchanged("rocksdb");
  }

  @Test
  void open_wholeDirectoryRemoved_isRefusedByItsWitness() throws IOException {
    fill(TestEvents.messages("s", 3));
    StoreFolders.delete(store);
    assertRefusedUnchanged("has 3 entries");
    assertThat(store).doesNotExist();
  }

  @Test
  void open_manifestThatCurrentNamesRemoved_isRefused() throws IOException {
    fill(TestEvents.messages("s", 3));
    Files.delete(CurrentFile.manifest(tables).orElseThrow());
    assertRefusedUnchanged("CURRENT");
  }

  @Test
  void open_manifestCutOff_isRefused() throws IOException {
    fill(TestEvents.messages("s", EVENTS));
    Path manifest = CurrentFile.manifest(tables).orElseThrow();
    StoreFolders.truncate(manifest, Files.size(manifest) * 9 / 10);
    assertRefusedUnchanged("MANIFEST");
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.02, 0.3, 0.6, 0.9})
  void open_logWithAFlippedBit_isRefused(double place) throws IOException {
    crash(TestEvents.messages("s", EVENTS));
    Path log = log();
    StoreFolders.flip(log, place);
    assertRefusedUnchanged(log + ": ");
  }

  @Test
  void open_logRemoved_isRefusedByItsWitness() throws IOException {
    crash(TestEvents.messages("s", EVENTS));
    Files.delete(log());
    assertRefusedUnchanged("entries 1 to 400");
  }

  @Test
  void open_logCutOff_isRefusedByItsWitness() throws IOException {
    crash(TestEvents.messages("s", EVENTS));
    StoreFolders.truncate(log(), Files.size(log()) / 2);
    assertRefusedUnchanged("to 400 of the log");
  }

  /// A store of records alone, such as that of the account, has no outbox entries.
  @Test
  void open_logOfRecordsRemoved_isRefusedByItsWitness() throws IOException {
    crash(records(4), () -> StoreFolders.awaitRecordChanges(witness, 4));
    Files.delete(log());
    assertRefusedUnchanged("changes 1 to 4 of curated memories");
  }

  @Test
  void open_logOfRecordsCutOff_isRefusedByItsWitness() throws IOException {
    try (RocksStore opened = open(StorageConfig.DEFAULT)) {
      opened.commit(records(3));
    }
    crash(records(400), () -> StoreFolders.awaitRecordChanges(witness, 403));
    StoreFolders.truncate(log(), Files.size(log()) / 2);
    assertRefusedUnchanged("changes 4 to 403 of curated memories");
  }

  @Test
  void open_directoryOfRecordsRemoved_isRefusedByItsWitness() throws IOException {
    try (RocksStore opened = open(StorageConfig.DEFAULT)) {
      opened.commit(records(3));
    }
    StoreFolders.delete(store);
    assertRefusedUnchanged("3 changes of curated memories");
    assertThat(store).doesNotExist();
  }

  @Test
  void open_logTornInItsLastRecord_keepsWhatWasWitnessed() throws IOException {
    List<Event> events = TestEvents.messages("s", EVENTS);
    crash(events);
    // What a power failure leaves of a record that nobody had acknowledged.
    try (FileChannel file = FileChannel.open(log(), StandardOpenOption.APPEND)) {
      file.write(ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 0x7F, 0x7F, 1, 9, 9}));
    }
    try (RocksStore opened = open(StorageConfig.DEFAULT)) {
      assertThat(opened.events().events(events.stream().map(Event::key).toList()))
          .isEqualTo(events);
      assertThat(opened.verify(10)).isEmpty();
    }
  }

  @Test
  void close_leavesNothingToTheLogAlone() throws IOException {
    List<Event> events = TestEvents.messages("s", EVENTS);
    fill(events);
    for (Path file : files(tables).toList()) {
      if (file.toString().endsWith(".log")) {
        Files.delete(file);
      }
    }
    try (RocksStore opened = open(StorageConfig.DEFAULT)) {
      assertThat(opened.events().events(events.stream().map(Event::key).toList()))
          .isEqualTo(events);
    }
  }

  @Test
  void open_asynchronousStoreBehindItsWitness_reportsIt() throws IOException {
    StorageConfig config = StorageConfig.from(SettingReader.of(Map.of("durability", "async")));
    crash(TestEvents.messages("s", EVENTS));
    StoreFolders.truncate(log(), Files.size(log()) / 2);
    try (RocksStore opened = open(config)) {
      assertThat(opened.notes()).singleElement().asString().contains("to 400 of the log");
    }
    try (RocksStore opened = open(config)) {
      assertThat(opened.notes()).isEmpty();
    }
  }

  @Test
  void open_tableRemoved_isRefused() throws IOException {
    fill(TestEvents.messages("s", EVENTS));
    Path table = files(tables).filter(f -> f.toString().endsWith(".sst")).findFirst().orElseThrow();
    Files.delete(table);
    assertRefusedUnchanged(String.valueOf(table.getFileName()));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99})
  void open_manifestWithAFlippedBit_isRefused(double place) throws IOException {
    fill(TestEvents.messages("s", 3));
    StoreFolders.flip(CurrentFile.manifest(tables).orElseThrow(), place);
    assertRefusedUnchanged("");
  }

  @Test
  void open_olderCopyOfTheStore_isRefused() throws IOException {
    fill(TestEvents.messages("s", 3));
    Path copy = data.resolve("copy");
    StoreFolders.copy(store, copy);
    fill(TestEvents.messages("t", 4));
    StoreFolders.delete(store);
    StoreFolders.copy(copy, store);
    assertRefusedUnchanged("entries 4 to 7");
  }

  @Test
  void open_witnessOfAnotherStore_isRefused() throws IOException {
    fill(TestEvents.messages("s", 3));
    Path other = data.resolve("db").resolve("other");
    RocksStore.open(StoreLocation.within(data, other), StorageConfig.DEFAULT, CLOCK).close();
    Files.copy(
        data.resolve("witness").resolve("other"), witness, StandardCopyOption.REPLACE_EXISTING);
    assertRefusedUnchanged("witness of a different store");
  }

  @Test
  void open_markerOfAnotherStore_isRefused() throws IOException {
    fill(TestEvents.messages("s", 3));
    Path other = data.resolve("db").resolve("other");
    RocksStore.open(StoreLocation.within(data, other), StorageConfig.DEFAULT, CLOCK).close();
    Files.copy(
        other.resolve(StoreMarker.FILE),
        store.resolve(StoreMarker.FILE),
        StandardCopyOption.REPLACE_EXISTING);
    assertRefusedUnchanged("belongs to a different store");
  }

  @Test
  void open_witnessMissing_reportsItOnce() throws IOException {
    fill(TestEvents.messages("s", 3));
    Files.delete(witness);
    try (RocksStore opened = open(StorageConfig.DEFAULT)) {
      assertThat(opened.notes()).singleElement().asString().contains("was missing");
    }
    try (RocksStore opened = open(StorageConfig.DEFAULT)) {
      assertThat(opened.notes()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.05, 0.3, 0.45, 0.55, 0.7, 0.9})
  void open_witnessWithAFlippedBit_opensOrSaysSo(double place) throws IOException {
    List<Event> events = TestEvents.messages("s", 3);
    fill(events);
    StoreFolders.flip(witness, place);
    try (RocksStore opened = open(StorageConfig.DEFAULT)) {
      assertThat(opened.events().events(events.stream().map(Event::key).toList()))
          .isEqualTo(events);
    }
  }

  @Test
  void open_markerMissing_isWrittenAnewAndReported() throws IOException {
    fill(TestEvents.messages("s", 3));
    byte[] before = Files.readAllBytes(store.resolve(StoreMarker.FILE));
    Files.delete(store.resolve(StoreMarker.FILE));
    try (RocksStore opened = open(StorageConfig.DEFAULT)) {
      assertThat(opened.notes()).singleElement().asString().contains("store.json");
      assertThat(opened.stats().events()).isEqualTo(3);
    }
    assertThat(Files.readAllBytes(store.resolve(StoreMarker.FILE))).isEqualTo(before);
  }

  @Test
  void open_markerAndWitnessMissing_isRefused() throws IOException {
    fill(TestEvents.messages("s", 3));
    Files.delete(store.resolve(StoreMarker.FILE));
    Files.delete(witness);
    assertRefusedUnchanged("store.json");
  }

  @Test
  void open_markerWithAFlippedBit_isWrittenAnewAndReported() throws IOException {
    fill(TestEvents.messages("s", 3));
    StoreFolders.flip(store.resolve(StoreMarker.FILE), 0.4);
    try (RocksStore opened = open(StorageConfig.DEFAULT)) {
      assertThat(opened.notes()).singleElement().asString().contains("store.json");
    }
  }

  @Test
  void open_interruptedCreation_isBegunAnew() throws IOException {
    Files.createDirectories(tables);
    StoreHeader header = StoreHeader.create(Optional.empty(), Instant.EPOCH);
    StoreMarker.of(header, 1, StoreMarker.State.CREATING).write(store);
    Files.writeString(tables.resolve("MANIFEST-000001"), "half of it");
    try (RocksStore opened = open(StorageConfig.DEFAULT)) {
      opened.commit(Commit.append(TestEvents.messages("s", 3)));
    }
    assertThat(StoreMarker.of(store).orElseThrow().state()).isEqualTo(StoreMarker.State.READY);
  }

  @Test
  void open_linkInPlaceOfTheLock_isRefusedAndItsTargetKept() throws IOException {
    Path target = Files.writeString(data.resolve("precious.txt"), "precious");
    Files.createDirectories(store);
    Files.createSymbolicLink(store.resolve(StoreLock.FILE), target);
    assertThatThrownBy(() -> open(StorageConfig.DEFAULT)).hasMessageContaining("symbolic link");
    assertThat(target).hasContent("precious");
  }

  @Test
  void witness_followsWithinASecondOfTheAcknowledgement() throws IOException {
    try (RocksStore opened = open(StorageConfig.DEFAULT)) {
      opened.commit(Commit.append(TestEvents.messages("s", 5)));
      StoreFolders.awaitWitness(witness, 5);
    }
  }

  /// Leaves a store whose last events are in the log only, as a kill leaves it.
  private void crash(List<Event> events) throws IOException {
    crash(Commit.append(events), () -> StoreFolders.awaitWitness(witness, events.size()));
  }

  private interface Waiting {
    void run() throws IOException;
  }

  private void crash(Commit commit, Waiting untilWitnessed) throws IOException {
    Path running = data.resolve("running");
    try (RocksStore opened = open(StorageConfig.DEFAULT)) {
      opened.commit(commit);
      untilWitnessed.run();
      StoreFolders.copy(store, running);
      Files.copy(witness, data.resolve("saved"));
    }
    StoreFolders.delete(store);
    StoreFolders.copy(running, store);
    Files.move(data.resolve("saved"), witness, StandardCopyOption.REPLACE_EXISTING);
  }

  private static Commit records(int count) {
    return Commit.of(
        IntStream.range(0, count)
            .mapToObj(i -> new StoredRecord("memory:" + i, "what was said in " + i * i))
            .<Change>map(Change.PutRecord::new)
            .toList());
  }

  private void fill(List<Event> events) {
    try (RocksStore opened = open(StorageConfig.DEFAULT)) {
      opened.commit(Commit.append(events));
    }
  }

  private RocksStore open(StorageConfig config) {
    return RocksStore.open(StoreLocation.within(data, store), config, CLOCK);
  }

  private void assertRefusedUnchanged(String says) throws IOException {
    List<String> before = StoreFolders.digests(data);
    assertThatThrownBy(() -> open(StorageConfig.DEFAULT))
        .isInstanceOfSatisfying(
            MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_DAMAGED))
        .hasMessageContaining(says)
        .hasMessageContaining("memory recover");
    assertThat(StoreFolders.digests(data)).isEqualTo(before);
  }

  private Path log() throws IOException {
    return files(tables)
        .filter(file -> file.toString().endsWith(".log") && file.toFile().length() > 0)
        .findFirst()
        .orElseThrow();
  }

  private static Stream<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList().stream();
    }
  }
}
