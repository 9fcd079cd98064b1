package dev.agentmemory.engine.offline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.config.SettingReader;
import dev.agentmemory.engine.config.EngineConfig;
import dev.agentmemory.engine.data.DirectoryLock;
import dev.agentmemory.engine.data.OwnDirectory;
import dev.agentmemory.rocksdb.RocksStore;
import dev.agentmemory.rocksdb.StoreLocation;
import dev.agentmemory.rocksdb.StoreMarker;
import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.store.Commit;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A recovery that is cut short, that meets a daemon, or that keeps nothing, leaves what the next
/// one can go on from.
@Tag("slow")
final class DataRecoveryTest {

  private static final int EVENTS = 40;
  private static final InstantSource CLOCK = InstantSource.system();

  @TempDir private Path folder;
  private Path data = Path.of("");
  private Path store = Path.of("");

  @BeforeEach
  void fill() {
    data = folder.resolve("data");
    store = data.resolve("db").resolve("default");
    OwnDirectory.claim(data, data.resolve("db"), CLOCK.instant());
    fill(store);
  }

  @Test
  void inPlace_whatAKilledRunHasLeft_isCleared() throws IOException {
    Files.delete(current());
    Path left = Files.createDirectories(data.resolve("recovering").resolve("default"));
    Files.writeString(left.resolve("store.json.new"), "half of it");
    Files.createDirectories(data.resolve("recovering").resolve("default.copy"));
    assertThat(recovery().inPlace().stores())
        .singleElement()
        .satisfies(DataRecoveryTest::assertWhole);
    assertThat(data.resolve("recovering")).doesNotExist();
    assertServed(store);
  }

  @Test
  void inPlace_cutBetweenItsRenames_isFinished() throws IOException {
    Files.delete(current());
    recovery().inPlace();
    Path draft = data.resolve("recovering").resolve("default");
    Files.createDirectories(draft.getParent());
    Files.move(store, draft);
    assertThat(recovery().inPlace().stores()).isEmpty();
    assertThat(data.resolve("recovering")).doesNotExist();
    assertServed(store);
  }

  @Test
  void inPlace_draftThatIsNotComplete_isNotPutInItsPlace() throws IOException {
    Files.delete(current());
    recovery().inPlace();
    Path draft = data.resolve("recovering").resolve("default");
    Files.createDirectories(draft.getParent());
    Files.move(store, draft);
    Files.delete(draft.resolve(StoreMarker.FILE));
    recovery().inPlace();
    assertThat(store).doesNotExist();
  }

  @Test
  void inPlace_workspaceOfThatName_isLeftAlone() throws IOException {
    Path workspace = data.resolve("db").resolve("recovering");
    fill(workspace);
    Files.delete(current());
    assertThat(recovery().inPlace().stores())
        .singleElement()
        .satisfies(DataRecoveryTest::assertWhole);
    assertServed(workspace);
  }

  @Test
  void inPlace_daemonHasTheDirectory_isRefused() throws IOException {
    Files.delete(current());
    try (var _ = DirectoryLock.take(data)) {
      assertThatThrownBy(() -> recovery().inPlace())
          .isInstanceOfSatisfying(
              MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFLICT));
    }
    assertThat(data.resolve("damaged")).doesNotExist();
  }

  @Test
  void inPlace_oneStoreOfAnotherZone_othersAreRecovered() throws IOException {
    Files.delete(current());
    Path other = data.resolve("db").resolve("other");
    fill(other);
    var wrong =
        new DataRecovery(
            InstantSource.system(),
            config(
                Path.of("db"),
                StorageConfig.from(SettingReader.of(Map.of("toc.zone", "Asia/Tokyo")))),
            /* acceptLoss= */ false,
            _ -> {});
    assertThat(wrong.inPlace().stores())
        .extracting(DataRecovery.Store::name)
        .containsExactly("default", "other");
  }

  @Test
  void into_nothingKept_leavesNoDirectory() throws IOException {
    damageRows();
    Path target = folder.resolve("saved");
    assertThat(recovery().into(target).stores())
        .singleElement()
        .satisfies(done -> assertThat(done.report().orElseThrow().isWhole()).isFalse());
    assertThat(target).doesNotExist();
    new DataRecovery(InstantSource.system(), config(), /* acceptLoss= */ true, _ -> {})
        .into(target);
    assertThat(RocksStore.isStore(target.resolve("db").resolve("default"))).isTrue();
  }

  @Test
  void into_storesElsewhere_areWhereADaemonLooks() throws IOException {
    Path db = folder.resolve("elsewhere").resolve("stores");
    Files.createDirectories(db);
    Files.move(store, db.resolve("default"));
    Path target = folder.resolve("saved");
    var recovery =
        new DataRecovery(
            InstantSource.system(),
            config(db, StorageConfig.DEFAULT),
            /* acceptLoss= */ false,
            _ -> {});
    assertThat(recovery.into(target).stores())
        .singleElement()
        .satisfies(DataRecoveryTest::assertWhole);
    assertServed(target.resolve("db").resolve("default"));
  }

  private DataRecovery recovery() {
    return new DataRecovery(InstantSource.system(), config(), /* acceptLoss= */ false, _ -> {});
  }

  private EngineConfig config() {
    return EngineConfig.defaults(data);
  }

  private EngineConfig config(Path db, StorageConfig storage) {
    EngineConfig defaults = EngineConfig.defaults(data);
    return new EngineConfig(
        data,
        db,
        defaults.segmentation(),
        defaults.rollupDebounce(),
        defaults.ingest(),
        storage,
        defaults.database(),
        defaults.workspaces(),
        defaults.summarizer(),
        defaults.embedding(),
        defaults.jobs(),
        defaults.backup(),
        defaults.retention(),
        defaults.recall());
  }

  private void fill(Path directory) {
    try (RocksStore opened = open(directory)) {
      opened.commit(Commit.append(TestEvents.messages("s", EVENTS)));
    }
  }

  private RocksStore open(Path directory) {
    return RocksStore.open(StoreLocation.within(data, directory), StorageConfig.DEFAULT, CLOCK);
  }

  private static void assertWhole(DataRecovery.Store done) {
    assertThat(done.error()).isEmpty();
    assertThat(done.report().orElseThrow().isWhole()).isTrue();
  }

  private static void assertServed(Path directory) {
    try (RocksStore opened = RocksStore.open(directory, StorageConfig.DEFAULT, CLOCK)) {
      assertThat(opened.stats().events()).isEqualTo(EVENTS);
      assertThat(opened.verify(10)).isEmpty();
    }
  }

  private Path current() {
    return store.resolve("rocksdb").resolve("CURRENT");
  }

  /// Damages the rows of the largest table file.
  private void damageRows() throws IOException {
    try (Stream<Path> files = Files.list(store.resolve("rocksdb"))) {
      Path largest =
          files
              .filter(file -> file.toString().endsWith(".sst"))
              .max(Comparator.comparingLong(file -> file.toFile().length()))
              .orElseThrow();
      byte[] bytes = Files.readAllBytes(largest);
      Arrays.fill(bytes, 40, 104, (byte) 0);
      Files.write(largest, bytes);
    }
  }
}
