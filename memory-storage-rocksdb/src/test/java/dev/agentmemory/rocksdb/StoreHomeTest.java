package dev.agentmemory.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.rocksdb.internal.engine.CurrentFile;
import dev.agentmemory.rocksdb.internal.home.StoreLock;
import dev.agentmemory.rocksdb.internal.home.Witness;
import dev.agentmemory.storage.codec.StoreHeader;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a directory is taken for, before the engine is asked. No engine runs here.
class StoreHomeTest {

  private static final StoreHeader FRESH = StoreHeader.create(Optional.empty(), Instant.EPOCH);

  @TempDir private Path data;
  private Path store = Path.of("");
  private Path tables = Path.of("");
  private Path witness = Path.of("");

  @BeforeEach
  void name() {
    store = data.resolve("db").resolve("default");
    tables = store.resolve("rocksdb");
    witness = data.resolve("witness").resolve("default");
  }

  private StoreHome take() {
    return StoreHome.take(StoreLocation.within(data, store), FRESH);
  }

  private StoreHome.Origin origin() {
    try (StoreHome home = take()) {
      assertThat(home.directory()).isEqualTo(store);
      assertThat(home.tables()).isEqualTo(tables);
      return home.origin();
    }
  }

  private void refused(String says) throws IOException {
    refused(ErrorCode.STORE_DAMAGED, says);
  }

  private void refused(ErrorCode code, String says) throws IOException {
    List<String> before = StoreFolders.digests(data);
    assertThatThrownBy(this::take)
        .isInstanceOfSatisfying(MemoryException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContaining(says);
    assertThat(StoreFolders.digests(data)).isEqualTo(before);
  }

  /// What an engine that was opened leaves, as far as this looks at it.
  private void engine() throws IOException {
    Files.createDirectories(tables);
    Files.writeString(tables.resolve("CURRENT"), "MANIFEST-000005\n");
    Files.writeString(tables.resolve("MANIFEST-000005"), "manifest");
  }

  private void marker(StoreMarker.State state) throws IOException {
    Files.createDirectories(store);
    StoreMarker.of(FRESH, 1, state).write(store);
  }

  private void witness(long sequence) throws IOException {
    witness(sequence, 0);
  }

  private void witness(long sequence, long recordChanges) throws IOException {
    Witness.start(witness, new Witness.Mark("id", 1, sequence, recordChanges, "", 0)).close();
  }

  @Test
  void nothing_isANewStore_whoseMarkerComesBeforeTheEngine() throws IOException {
    try (StoreHome home = take()) {
      assertThat(home.origin()).isEqualTo(StoreHome.Origin.NEW);
      assertThat(home.isNew()).isTrue();
      assertThat(home.marker().map(StoreMarker::state)).contains(StoreMarker.State.CREATING);
      assertThat(StoreMarker.of(store)).isEqualTo(home.marker());
      assertThat(tables).isEmptyDirectory();
      for (Path folder : List.of(store, tables)) {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
            .isEqualTo("rwx------");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void directoryThatHoldsNothingOrAnEmptyLock_isANewStore(boolean lock) throws IOException {
    Files.createDirectories(store);
    if (lock) {
      Files.createFile(store.resolve(StoreLock.FILE));
    }
    assertThat(origin()).isEqualTo(StoreHome.Origin.NEW);
  }

  @Test
  void lockOfAFormerHolder_withNothingBesideIt_isRefused() throws IOException {
    Files.createDirectories(store);
    Files.writeString(store.resolve(StoreLock.FILE), "pid=1 format=5\n");
    refused("rocksdb is missing although");
  }

  @Test
  void creationThatWasInterrupted_isBegunAnew_withoutWhatItLeft() throws IOException {
    marker(StoreMarker.State.CREATING);
    engine();
    try (StoreHome home = take()) {
      assertThat(home.origin()).isEqualTo(StoreHome.Origin.INTERRUPTED);
      assertThat(home.isNew()).isTrue();
      assertThat(tables).isEmptyDirectory();
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(tables)))
          .isEqualTo("rwx------");
    }
  }

  @Test
  void refusalOnceTheLockIsTaken_givesItBack() throws IOException {
    marker(StoreMarker.State.CREATING);
    Files.createFile(store.resolve(StoreLock.FILE));
    Path stranger = Files.createDirectories(tables.resolve("sub").resolve("folder"));
    refused(ErrorCode.STORAGE_FAILED, "check its permissions");
    Files.delete(stranger);
    assertThat(origin()).isEqualTo(StoreHome.Origin.INTERRUPTED);
  }

  @Test
  void lockThatCannotBeWritten_isSaid() throws IOException {
    marker(StoreMarker.State.READY);
    engine();
    Files.createDirectory(store.resolve(StoreLock.FILE));
    refused(ErrorCode.STORAGE_FAILED, "cannot write " + store.resolve(StoreLock.FILE));
  }

  @ParameterizedTest
  @EnumSource(
      value = StoreMarker.State.class,
      names = {"READY", "RESTORED"})
  void completeStore_isTakenAsItIs(StoreMarker.State state) throws IOException {
    marker(state);
    engine();
    Files.createFile(store.resolve(StoreLock.FILE));
    List<String> before = StoreFolders.digests(data);
    try (StoreHome home = take()) {
      assertThat(home.origin()).isEqualTo(StoreHome.Origin.READY);
      assertThat(home.isNew()).isFalse();
      assertThat(home.marker()).isEqualTo(StoreMarker.of(store)).isPresent();
    }
    assertThat(StoreFolders.digests(data)).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void engineWithoutAMarkerThatCanBeBelieved_isUnmarked(boolean damaged) throws IOException {
    engine();
    if (damaged) {
      Files.writeString(store.resolve(StoreMarker.FILE), "{}");
    }
    try (StoreHome home = take()) {
      assertThat(home.origin()).isEqualTo(StoreHome.Origin.UNMARKED);
      assertThat(home.isNew()).isFalse();
      assertThat(home.marker()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ready", "damaged", "absent"})
  void engineFolderWithoutItsManifest_isRefused(String marker) throws IOException {
    engine();
    Files.delete(tables.resolve("MANIFEST-000005"));
    switch (marker) {
      case "ready" -> marker(StoreMarker.State.READY);
      case "damaged" -> Files.writeString(store.resolve(StoreMarker.FILE), "{}");
      default -> assertThat(store.resolve(StoreMarker.FILE)).doesNotExist();
    }
    refused("does not name an existing manifest");
  }

  @ParameterizedTest
  @CsvSource({"missing, is missing", "empty, is empty", "creating, was never completely created"})
  void nothingOfAStore_whereAWitnessSawEntries_isRefused(String found, String says)
      throws IOException {
    switch (found) {
      case "empty" -> Files.createDirectories(store);
      case "creating" -> marker(StoreMarker.State.CREATING);
      default -> assertThat(store).doesNotExist();
    }
    witness(3);
    refused(says);
    refused("has 3 entries");
    witness(0, 2);
    refused("has 0 entries and 2 changes of curated memories");
    witness(0);
    try (StoreHome home = take()) {
      assertThat(home.isNew()).as("a store that took no entry lost none").isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "rocksdb", "LOCK"})
  void linkInPlaceOfAnythingOfTheStore_isRefused(String name) throws IOException {
    Path elsewhere = Files.createDirectories(data.resolve("elsewhere"));
    Path link = name.isEmpty() ? store : store.resolve(name);
    Files.createDirectories(link.getParent());
    Files.createSymbolicLink(link, elsewhere);
    refused(ErrorCode.UNSUPPORTED_FORMAT, link + " is a symbolic link");
    assertThat(elsewhere).isEmptyDirectory();
  }

  @Test
  void fileOfSomebodyElse_isRefusedAndNamed() throws IOException {
    marker(StoreMarker.State.READY);
    engine();
    Files.writeString(store.resolve("notes.txt"), "mine");
    refused(ErrorCode.UNSUPPORTED_FORMAT, "contains notes.txt");
  }

  @Test
  void storeThatIsTaken_isRefusedUntilItIsClosed() throws IOException {
    try (StoreHome _ = take()) {
      refused(ErrorCode.CONFLICT, "in use by another process");
    }
    assertThat(origin()).isEqualTo(StoreHome.Origin.INTERRUPTED);
  }

  @Test
  void complete_writesTheMarkerAndSaysWhoHasTheStore() throws IOException {
    try (StoreHome home = take()) {
      StoreMarker ready = StoreMarker.of(FRESH, 1, StoreMarker.State.READY);
      home.complete(ready);
      assertThat(home.marker()).contains(ready);
      assertThat(StoreMarker.of(store)).contains(ready);
      assertThat(store.resolve(StoreLock.FILE))
          .hasContent("pid=%d format=5\n".formatted(ProcessHandle.current().pid()));
      assertThat(StoreHome.isThere(store)).isTrue();
    }
  }

  @Test
  void existing_withoutAStore_isNotFound_andMakesNothing() {
    assertThatThrownBy(() -> StoreHome.existing(StoreLocation.within(data, store), FRESH))
        .isInstanceOfSatisfying(
            MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND));
    assertThat(store).doesNotExist();
  }

  @Test
  void existing_storeThatIsThere_isTaken() throws IOException {
    marker(StoreMarker.State.READY);
    engine();
    try (StoreHome home = StoreHome.existing(StoreLocation.within(data, store), FRESH)) {
      assertThat(home.origin()).isEqualTo(StoreHome.Origin.READY);
    }
  }

  @Test
  void isThere_anythingOfAStore() throws IOException {
    Files.createDirectories(store);
    assertThat(StoreHome.isThere(store)).isFalse();
    Path lock = Files.createFile(store.resolve(StoreLock.FILE));
    assertThat(StoreHome.isThere(store)).isFalse();
    Files.writeString(lock, "pid=1");
    assertThat(StoreHome.isThere(store)).isTrue();
    Files.delete(lock);
    Files.createDirectory(tables);
    assertThat(StoreHome.isThere(store)).isTrue();
    Files.delete(tables);
    Files.writeString(store.resolve(StoreMarker.FILE), "");
    assertThat(StoreHome.isThere(store)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "MANIFEST-000005", "MANIFEST-000006\n", "../MANIFEST-000005\n", "x\n"})
  void manifest_currentThatNamesNone_isEmpty(String current) throws IOException {
    engine();
    assertThat(CurrentFile.manifest(tables)).contains(tables.resolve("MANIFEST-000005"));
    Files.writeString(tables.resolve("CURRENT"), current);
    assertThat(CurrentFile.manifest(tables)).isEmpty();
  }

  @Test
  void manifest_links_areNotFollowed() throws IOException {
    engine();
    Path moved = Files.move(tables.resolve("MANIFEST-000005"), data.resolve("manifest"));
    Files.createSymbolicLink(tables.resolve("MANIFEST-000005"), moved);
    assertThat(CurrentFile.manifest(tables)).isEmpty();
  }
}
