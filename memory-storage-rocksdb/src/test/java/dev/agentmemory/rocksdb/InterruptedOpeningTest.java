package dev.agentmemory.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.config.SettingReader;
import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.rocksdb.internal.engine.Database;
import dev.agentmemory.rocksdb.internal.engine.FileCheck;
import dev.agentmemory.rocksdb.internal.engine.NativeMemory;
import dev.agentmemory.rocksdb.internal.engine.RocksBatch;
import dev.agentmemory.rocksdb.internal.engine.RocksReader;
import dev.agentmemory.rocksdb.internal.home.StoreLock;
import dev.agentmemory.storage.codec.Keys;
import dev.agentmemory.storage.codec.StoreHeader;
import dev.agentmemory.storage.file.DurableFile;
import dev.agentmemory.storage.read.MetaRows;
import dev.agentmemory.storage.read.View;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.store.Commit;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.store.GoldenStore;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdb.RocksDBException;

/// A crash while a store is created, or while its format is raised, leaves one that opens.
@Tag("slow")
final class InterruptedOpeningTest {

  private static final InstantSource CLOCK = InstantSource.system();

  @TempDir private Path data;

  @Test
  void creation_cutBeforeItsMarkerWasComplete_isBegunAnew() throws IOException {
    Path store = Files.createDirectories(data.resolve("db").resolve("default"));
    Files.createFile(store.resolve(StoreLock.FILE));
    Files.writeString(store.resolve(StoreMarker.FILE + DurableFile.DRAFT), "{\"magic\":\"agent-m");
    try (RocksStore opened = open(store, StorageConfig.DEFAULT)) {
      opened.commit(Commit.append(TestEvents.messages("s", 3)));
      assertThat(opened.stats().events()).isEqualTo(3);
    }
  }

  @Test
  void creation_asynchronous_syncsTheHeaderAllTheSame() {
    StorageConfig config = StorageConfig.from(SettingReader.of(Map.of("durability", "async")));
    try (RocksStore opened = open(data.resolve("db").resolve("default"), config)) {
      assertThat(opened.stats().walSyncs()).isPositive();
    }
  }

  @Test
  void upgrade_markerCannotBeWritten_leavesTheFormerHeader() throws IOException {
    Path store = GoldenStore.FORMAT_3.unpack(data);
    Path obstacle = store.resolve(StoreMarker.FILE + DurableFile.DRAFT);
    Files.createFile(Files.createDirectory(obstacle).resolve("file"));
    assertThatThrownBy(() -> open(store, StorageConfig.DEFAULT))
        .isInstanceOfSatisfying(
            MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_FAILED));
    assertThat(StoreDirectory.contents(store).format()).isEqualTo(3);
    StoreFolders.delete(obstacle);
    assertOpens(store);
  }

  @Test
  void upgrade_cutBeforeTheHeader_goesOnWithTheIdThatWasDrawn() throws IOException {
    Path store = GoldenStore.FORMAT_3.unpack(data);
    StoreMarker begun = StoreMarker.of(former(store), 1, StoreMarker.State.UPGRADING);
    begun.write(store);
    assertOpens(store);
    StoreMarker now = StoreMarker.of(store).orElseThrow();
    assertThat(now.storeId()).isEqualTo(begun.storeId());
    assertThat(now.state()).isEqualTo(StoreMarker.State.READY);
  }

  @Test
  void upgrade_cutBehindTheHeader_isComplete() throws IOException {
    Path store = GoldenStore.FORMAT_3.unpack(data);
    open(store, StorageConfig.DEFAULT).close();
    StoreMarker whole = StoreMarker.of(store).orElseThrow();
    StoreMarker.of(whole.header(), 1, StoreMarker.State.UPGRADING).write(store);
    assertOpens(store);
    assertThat(StoreMarker.of(store)).contains(whole);
  }

  @Test
  void upgradeOfFormatFour_cutBehindTheNewTable_isFinished() throws IOException {
    Path store = GoldenStore.FORMAT_4.unpack(data);
    Database.open(store.resolve(StoreHome.TABLES), StorageConfig.DEFAULT).close();
    assertThat(RocksStore.formerFormat(store)).contains(4);
    assertOpens(store);
    assertThat(StoreMarker.of(store).map(StoreMarker::format)).contains(RocksStore.FORMAT);
  }

  @Test
  void upgradeOfFormatFour_cutBehindTheHeader_isFinished() throws IOException {
    Path store = GoldenStore.FORMAT_4.unpack(data);
    StoreMarker former = StoreMarker.of(store).orElseThrow();
    open(store, StorageConfig.DEFAULT).close();
    former.write(store);
    assertThat(RocksStore.formerFormat(store)).isEmpty();
    assertOpens(store);
    assertThat(StoreMarker.of(store).map(StoreMarker::format)).contains(RocksStore.FORMAT);
  }

  @Test
  void upgrade_markerOfAnotherStore_isRefused() throws IOException {
    Path store = GoldenStore.FORMAT_3.unpack(data);
    StoreHeader other = StoreHeader.create(Optional.empty(), CLOCK.instant());
    StoreMarker.of(other, 1, StoreMarker.State.UPGRADING).write(store);
    assertThatThrownBy(() -> open(store, StorageConfig.DEFAULT))
        .hasMessageContaining("belongs to a different store");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3_000, 40_000, 100_000})
  void powerFailure_zerosInPlaceOfTheEndOfTheLog_leavesWhatWasAcknowledged(int zeros)
      throws IOException {
    StoreLocation place = StoreLocation.within(data, data.resolve("db").resolve("default"));
    Path witness = place.witness().orElseThrow();
    Path copy = data.resolve("copy");
    Path saved = data.resolve("saved");
    List<Event> events = TestEvents.messages("s", 20);
    try (RocksStore opened = RocksStore.open(place, StorageConfig.DEFAULT, CLOCK)) {
      opened.commit(Commit.append(events));
      StoreFolders.awaitWitness(witness, events.size());
      Files.copy(witness, saved);
      opened.commit(
          Commit.append(
              List.of(TestEvents.message("late", TestEvents.START, "word ".repeat(40_000)))));
      StoreFolders.copy(place.directory(), copy);
    }
    StoreFolders.delete(place.directory());
    Files.move(copy, place.directory());
    Files.move(saved, witness, StandardCopyOption.REPLACE_EXISTING);
    zeroEnd(log(place.directory().resolve(StoreHome.TABLES)), zeros);
    try (RocksStore opened = RocksStore.open(place, StorageConfig.DEFAULT, CLOCK)) {
      assertThat(opened.events().events(events.stream().map(Event::key).toList()))
          .isEqualTo(events);
      assertThat(opened.stats().events()).isEqualTo(events.size());
      assertThat(opened.verify(10)).isEmpty();
    }
  }

  /// Else it would be raised without the backup that has to be made before.
  @Test
  void formerFormat_zerosInPlaceOfTheEndOfTheLog_isTold() throws IOException, RocksDBException {
    Path store = crashed(GoldenStore.FORMAT_3.unpack(data));
    zeroEnd(log(store.resolve(StoreHome.TABLES)), 3_000);
    List<String> before = StoreFolders.digests(store);
    assertThat(RocksStore.formerFormat(store)).contains(3);
    assertThat(StoreFolders.digests(store)).isEqualTo(before);
    assertOpens(store);
  }

  @Test
  void formerFormat_logDamaged_isRefusedAsByOpening() throws IOException, RocksDBException {
    Path store = crashed(GoldenStore.FORMAT_3.unpack(data));
    StoreFolders.overwrite(log(store.resolve(StoreHome.TABLES)), 0.3, 64);
    assertUntold(store);
  }

  @Test
  void formerFormat_tableMissing_isRefusedAsByOpening() throws IOException {
    Path store = GoldenStore.FORMAT_2.unpack(data);
    try (Stream<Path> files = Files.list(store.resolve(StoreHome.TABLES))) {
      Files.delete(
          files.filter(file -> FileCheck.isTable(file.toString())).findFirst().orElseThrow());
    }
    assertUntold(store);
  }

  private static void assertUntold(Path store) {
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> RocksStore.formerFormat(store), () -> open(store, StorageConfig.DEFAULT))) {
      assertThatThrownBy(call)
          .isInstanceOfSatisfying(
              MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_DAMAGED))
          .hasMessageContaining(store.toString());
    }
  }

  /// The store as a crash leaves it when its log ends with a record of several blocks.
  private Path crashed(Path store) throws IOException, RocksDBException {
    Path copy = data.resolve("crashed");
    StorageConfig config = StorageConfig.DEFAULT;
    try (Database engine =
        Database.open(
            store.resolve(StoreHome.TABLES),
            config,
            NativeMemory.alone(config),
            Database.Mode.AS_IS,
            reading -> {})) {
      byte[] large = new byte[200_000];
      Arrays.fill(large, (byte) 'x');
      var batch = new RocksBatch(engine::number, 0);
      batch.put(Table.CHECKPOINTS, Keys.checkpoint("large"), large);
      engine.write(batch.toBytes());
      engine.sync();
      StoreFolders.copy(store, copy);
    }
    return copy;
  }

  private static Path log(Path tables) throws IOException {
    try (Stream<Path> files = Files.list(tables)) {
      return files
          .filter(file -> file.toString().endsWith(".log") && file.toFile().length() > 0)
          .max(Path::compareTo)
          .orElseThrow();
    }
  }

  private static void zeroEnd(Path file, int count) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    Arrays.fill(bytes, bytes.length - count, bytes.length, (byte) 0);
    Files.write(file, bytes);
  }

  /// The header of a store of format 3, with an id.
  private static StoreHeader former(Path store) {
    StoreHeader[] found = new StoreHeader[1];
    try {
      Database.readDamaged(
          store.resolve(StoreHome.TABLES),
          StorageConfig.DEFAULT,
          engine ->
              found[0] = new MetaRows(View.of(RocksReader.of(engine))).header().orElseThrow());
    } catch (RocksDBException e) {
      throw new AssertionError(e);
    }
    return found[0].named(StoreHeader.drawId());
  }

  private static void assertOpens(Path store) {
    try (RocksStore opened = open(store, StorageConfig.DEFAULT)) {
      assertThat(opened.stats().events()).isPositive();
      assertThat(opened.verify(10)).isEmpty();
      assertThat(opened.notes()).isEmpty();
    }
  }

  private static RocksStore open(Path store, StorageConfig config) {
    return RocksStore.open(store, config, CLOCK);
  }
}
