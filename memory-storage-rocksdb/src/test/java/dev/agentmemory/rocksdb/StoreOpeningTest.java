package dev.agentmemory.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.rocksdb.internal.home.StoreLock;
import dev.agentmemory.rocksdb.internal.home.Witness;
import dev.agentmemory.store.Commit;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/// What marker, witness and header say of each other when a store is opened.
class StoreOpeningTest {

  private static final InstantSource CLOCK = InstantSource.system();

  @TempDir private Path data;
  private Path store = Path.of("");
  private Path tables = Path.of("");
  private Path witness = Path.of("");

  @BeforeEach
  void fill() {
    store = data.resolve("db").resolve("default");
    tables = store.resolve("rocksdb");
    witness = data.resolve("witness").resolve("default");
    commit("s", 3);
  }

  private void commit(String session, int events) {
    try (RocksStore opened = open()) {
      opened.commit(Commit.append(TestEvents.messages(session, events)));
    }
  }

  private RocksStore open() {
    return RocksStore.open(StoreLocation.within(data, store), StorageConfig.DEFAULT, CLOCK);
  }

  private void assertRefused(String says) {
    assertThatThrownBy(this::open)
        .isInstanceOfSatisfying(
            MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_DAMAGED))
        .hasMessageContaining(says);
  }

  private Optional<Witness.Mark> seen() throws IOException {
    return Witness.look(witness).believed();
  }

  /// The store as it is now, put in the place of what follows.
  private Path copy(String name) throws IOException {
    Path copy = data.resolve(name);
    StoreFolders.copy(store, copy);
    return copy;
  }

  private void put(Path copy) throws IOException {
    StoreFolders.delete(store);
    StoreFolders.copy(copy, store);
  }

  /// A restore begins a generation, so the copy may be behind the witness; the former store may not
  /// come back afterwards.
  @Test
  void open_copyOfTheNextGeneration_isServed_andTheFormerOneIsRefusedFromThenOn()
      throws IOException {
    Path former = copy("former");
    commit("t", 4);
    assertThat(seen().map(Witness.Mark::sequence)).contains(7L);
    put(former);
    assertRefused("entries 4 to 7");

    StoreMarker.of(store).orElseThrow().nextGeneration().write(store);
    try (RocksStore opened = open()) {
      assertThat(opened.stats().events()).isEqualTo(3);
      assertThat(opened.notes()).isEmpty();
    }
    assertThat(StoreMarker.of(store).orElseThrow())
        .satisfies(marker -> {
          assertThat(marker.generation()).isEqualTo(2);
          assertThat(marker.state()).isEqualTo(StoreMarker.State.READY);
        });
    assertThat(seen())
        .hasValueSatisfying(mark -> {
          assertThat(mark.generation()).isEqualTo(2);
          assertThat(mark.sequence()).isEqualTo(3);
        });

    put(former);
    assertRefused("is an older copy: it has generation 1");
  }

  @Test
  void open_refusedStoreWithoutALockFile_getsNone() throws IOException {
    Path former = copy("former");
    commit("t", 4);
    put(former);
    Files.delete(store.resolve(StoreLock.FILE));
    List<String> before = StoreFolders.digests(data);
    assertRefused("entries 4 to 7");
    assertThat(StoreFolders.digests(data)).isEqualTo(before);
    Files.delete(witness);
    open().close();
    assertThat(store.resolve(StoreLock.FILE)).isNotEmptyFile();
  }

  /// The generation comes from the witness when the marker is lost.
  @Test
  void open_markerOfALaterGenerationMissing_isWrittenAnewWithIt() throws IOException {
    StoreMarker.of(store).orElseThrow().nextGeneration().write(store);
    open().close();
    Files.delete(store.resolve(StoreMarker.FILE));
    open().close();
    assertThat(StoreMarker.of(store).map(StoreMarker::generation)).contains(2L);
  }

  @Test
  void open_markerMissingAndWitnessOfAnotherStore_isRefused() throws IOException {
    Path other = data.resolve("db").resolve("other");
    RocksStore.open(StoreLocation.within(data, other), StorageConfig.DEFAULT, CLOCK).close();
    Files.copy(
        data.resolve("witness").resolve("other"), witness, StandardCopyOption.REPLACE_EXISTING);
    Files.delete(store.resolve(StoreMarker.FILE));
    assertRefused("no witness file confirms that the store is complete");
  }

  @Test
  void open_witnessDamaged_reportsItOnce() throws IOException {
    Files.writeString(witness, "nothing of a witness");
    try (RocksStore opened = open()) {
      assertThat(opened.notes()).singleElement().asString().contains("was damaged");
    }
    try (RocksStore opened = open()) {
      assertThat(opened.notes()).isEmpty();
    }
    assertThat(seen().map(Witness.Mark::sequence)).contains(3L);
  }

  @Test
  void open_storeWithoutAWitnessOfItsOwn_reportsNothing() {
    try (RocksStore opened =
        RocksStore.open(StoreLocation.of(store), StorageConfig.DEFAULT, CLOCK)) {
      assertThat(opened.notes()).isEmpty();
      assertThat(opened.stats().events()).isEqualTo(3);
    }
  }

  @Test
  void open_emptyDatabaseInPlaceOfTheStore_isRefused() throws IOException, RocksDBException {
    StoreFolders.delete(tables);
    Files.createDirectory(tables);
    RocksDB.open(tables.toString()).close();
    assertRefused("MANIFEST");
    Witness.Mark mark = seen().orElseThrow();
    Witness.start(witness, new Witness.Mark(mark.storeId(), 1, 3, 0, "", 0)).close();
    assertRefused("entries 1 to 3");
    Files.delete(witness);
    assertRefused("the header row");
  }
}
