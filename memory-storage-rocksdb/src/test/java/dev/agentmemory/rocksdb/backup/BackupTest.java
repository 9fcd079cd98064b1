package dev.agentmemory.rocksdb.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.rocksdb.RocksStore;
import dev.agentmemory.rocksdb.StoreDirectory;
import dev.agentmemory.rocksdb.StoreLocation;
import dev.agentmemory.rocksdb.StoreMarker;
import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.contract.StoreReading;
import dev.agentmemory.testkit.store.GoldenStore;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Backups of a real store.
@Tag("slow")
final class BackupTest {

  private static final Instant NOW = Instant.parse("2026-01-30T14:30:00Z");
  private static final InstantSource CLOCK = () -> NOW;

  @TempDir private Path temp;
  private RocksStore store;

  @BeforeEach
  void open() {
    store = RocksStore.open(temp.resolve("store"), StorageConfig.DEFAULT, CLOCK);
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void restoredBackup_isTheStoreAsItWas() {
    put(TestEvents.messages("a", 50));
    store.commit(Commit.of(new Change.PutRecord(new StoredRecord("memory:1", "one"))));
    Map<String, Object> before = StoreReading.of(store, List.of());
    backUp();
    put(TestEvents.messages("b", 5));

    try (RocksStore restored = restored(backups().newest().orElseThrow())) {
      assertThat(StoreReading.of(restored, List.of())).isEqualTo(before);
      assertThat(restored.verify(10)).isEmpty();
      restored.commit(commit(TestEvents.message("c", NOW, "the restored store takes events")));
    }
  }

  @Test
  void restoredStore_isItsNextGeneration_andAWitnessOfTheFormerOneDoesNotCount() {
    Path data = temp.resolve("data");
    Path to = data.resolve("db").resolve("default");
    StoreLocation place = StoreLocation.within(data, to);
    Path checkpoint = temp.resolve("checkpoint");
    try (RocksStore former = RocksStore.open(place, StorageConfig.DEFAULT, CLOCK)) {
      former.commit(commit(TestEvents.message("a", NOW, "in the backup")));
      former.checkpoint(checkpoint);
      former.commit(commit(TestEvents.message("b", NOW, "not in the backup")));
    }
    StoreMarker before = StoreMarker.of(to).orElseThrow();
    BackupManifest manifest = write(checkpoint, BackupProgress.NONE).manifest();
    StoreDirectory.delete(to);
    Restore.restore(backups(), manifest, to, temp.resolve("no-index"), BackupProgress.NONE);

    StoreMarker restored = StoreMarker.of(to).orElseThrow();
    assertThat(restored.storeId()).isEqualTo(before.storeId());
    assertThat(restored.generation()).isEqualTo(before.generation() + 1);
    try (RocksStore again = RocksStore.open(place, StorageConfig.DEFAULT, CLOCK)) {
      assertThat(again.stats().events()).isEqualTo(1);
    }
  }

  @Test
  void manifest_saysWhatTheBackupHolds() {
    put(TestEvents.messages("a", 50));
    BackupManifest manifest = backUp().manifest();

    assertThat(manifest).isEqualTo(backups().read(manifest.id()));
    assertThat(manifest.id()).isEqualTo("000001-20260130T143000Z");
    assertThat(manifest.events()).isEqualTo(50);
    assertThat(manifest.outboxSequence()).isEqualTo(50);
    assertThat(manifest.workspace()).isEqualTo("default");
    assertThat(manifest.withIndex()).isFalse();
  }

  @Test
  void everythingAcknowledgedBeforeTheCall_isInTheBackup_whileOthersWrite() {
    var stop = new AtomicBoolean();
    var acknowledged = new AtomicInteger();
    CompletableFuture<Void> writer =
        CompletableFuture.runAsync(() -> {
          while (!stop.get()) {
            int number = acknowledged.get();
            put(List.of(TestEvents.message("w", NOW.plusMillis(number), "text " + number)));
            acknowledged.incrementAndGet();
          }
        });
    try {
      for (int i = 0; i < 5; i++) {
        int before = acknowledged.get();
        BackupManifest manifest = backUp().manifest();
        assertThat(manifest.events()).isGreaterThanOrEqualTo(before);
        try (RocksStore restored = restored(manifest)) {
          assertThat(restored.stats().events()).isEqualTo(manifest.events());
          assertThat(
                  restored
                      .events()
                      .events(Instant.EPOCH, NOW.plusSeconds(3600), Optional.empty(), 1_000_000))
              .hasSize((int) manifest.events());
          assertThat(restored.verify(10)).isEmpty();
        }
      }
    } finally {
      stop.set(true);
      writer.join();
    }
  }

  @Test
  void secondBackup_copiesNoTableFileAgain() throws IOException {
    put(TestEvents.messages("a", 500));
    backUp();
    List<Path> first = contents();
    put(TestEvents.messages("b", 1));
    BackupWriter.Written second = backUp();

    assertThat(contents()).containsAll(first);
    long tables =
        second.manifest().files().stream()
            .filter(file -> first.stream().anyMatch(old -> old.endsWith(file.sha256())))
            .count();
    assertThat(tables).isPositive();
    assertThat(second.newBytes()).isLessThan(second.manifest().bytes());
    assertThat(backups().verify(second.manifest().id(), BackupProgress.NONE)).isEmpty();
  }

  @Test
  void flippedBit_isFoundAndTheFileNamed_andTheBackupIsNotRestored() throws IOException {
    put(TestEvents.messages("a", 50));
    BackupManifest manifest = backUp().manifest();
    for (BackupFile file : manifest.files()) {
      Path content = backups().file(file);
      byte[] bytes = Files.readAllBytes(content);
      if (bytes.length == 0) {
        continue;
      }
      bytes[bytes.length / 2] ^= 1;
      Files.write(content, bytes);

      assertThat(backups().verify(manifest.id(), BackupProgress.NONE))
          .singleElement(InstanceOfAssertFactories.STRING)
          .contains(content.toString(), file.path());
      assertThatThrownBy(() -> restored(manifest))
          .asInstanceOf(InstanceOfAssertFactories.type(MemoryException.class))
          .matches(e -> e.code() == ErrorCode.CORRUPT_RECORD)
          .extracting(Throwable::getMessage, InstanceOfAssertFactories.STRING)
          .contains(content.toString());
      bytes[bytes.length / 2] ^= 1;
      Files.write(content, bytes);
    }
    assertThat(backups().verify(manifest.id(), BackupProgress.NONE)).isEmpty();
  }

  @Test
  void missingAndTruncatedFiles_areNamed() throws IOException {
    put(TestEvents.messages("a", 50));
    BackupManifest manifest = backUp().manifest();
    Path missing = backups().file(manifest.files().get(0));
    Path shorter = backups().file(manifest.files().get(1));
    Files.delete(missing);
    Files.write(shorter, new byte[] {1});

    assertThat(backups().verify(manifest.id(), BackupProgress.NONE))
        .hasSize(2)
        .anyMatch(problem -> problem.contains(missing.toString()) && problem.contains("missing"))
        .anyMatch(problem -> problem.contains(shorter.toString()) && problem.contains("1 bytes"));
  }

  @Test
  void damagedManifest_isNamed_andNothingIsDeletedThen() throws IOException {
    put(TestEvents.messages("a", 50));
    BackupManifest first = backUp().manifest();
    Path manifest = backups().manifest(first.id());
    byte[] good = Files.readAllBytes(manifest);
    byte[] bad = good.clone();
    bad[40] ^= 1;
    Files.write(manifest, bad);
    store.compact();
    backUp();

    assertThat(backups().verify(first.id(), BackupProgress.NONE))
        .singleElement(InstanceOfAssertFactories.STRING)
        .contains(manifest.toString(), "checksum");
    Files.write(manifest, good);
    assertThat(backups().verify(first.id(), BackupProgress.NONE)).isEmpty();
  }

  @Test
  void damagedTableOfTheStore_isNamed_andFormerBackupsStay() throws IOException {
    put(TestEvents.messages("a", 500));
    BackupManifest former = backUp().manifest();
    put(TestEvents.messages("b", 500));
    Path checkpoint = checkpoint();
    Path table = newestTable(checkpoint, former);
    byte[] bytes = Files.readAllBytes(table);
    bytes[10] ^= 1;
    Files.delete(table);
    Files.write(table, bytes);

    assertThatThrownBy(() -> write(checkpoint, BackupProgress.NONE))
        .asInstanceOf(InstanceOfAssertFactories.type(MemoryException.class))
        .matches(e -> e.code() == ErrorCode.CORRUPT_RECORD)
        .extracting(Throwable::getMessage, InstanceOfAssertFactories.STRING)
        .contains(table.getFileName().toString(), "earlier backups are kept");
    assertThat(backups().ids()).containsExactly(former.id());
    assertThat(backups().verify(former.id(), BackupProgress.NONE)).isEmpty();
    assertOnlyNeeded();
  }

  @Test
  void endedHalfWay_leavesNothing() throws IOException {
    put(TestEvents.messages("a", 500));
    backUp();
    store.compact();
    put(TestEvents.messages("b", 500));
    Path checkpoint = checkpoint();
    var calls = new AtomicInteger();

    assertThatThrownBy(() ->
            write(
                checkpoint,
                (done, total) -> {
                  if (calls.incrementAndGet() == 5) {
                    throw new MemoryException(ErrorCode.CLOSED, "enough");
                  }
                }))
        .hasMessage("enough");
    assertThat(backups().ids()).hasSize(1);
    assertOnlyNeeded();
  }

  @Test
  void leftoversOfAKilledRun_areClearedByTheNextOne() throws IOException {
    put(TestEvents.messages("a", 50));
    backUp();
    Files.createDirectories(backups().partial());
    Files.writeString(backups().partial().resolve("000123.sst"), "half a file");
    Files.writeString(backups().files().resolve("0".repeat(64)), "of no backup");
    backUp();

    assertThat(backups().ids()).hasSize(2);
    assertOnlyNeeded();
  }

  @Test
  void tooLittleRoom_isRefusedBeforeTheFirstByte() throws IOException {
    put(TestEvents.messages("a", 50));
    Path checkpoint = checkpoint();

    assertThatThrownBy(
            () -> {
              try (var _ = directory().lock()) {
                BackupWriter.write(
                    backups(),
                    directory().nextId(NOW),
                    new BackupSource(
                        checkpoint, Optional.empty(), checkpoint, NOW, "test", Long.MAX_VALUE / 2),
                    BackupProgress.NONE);
              }
            })
        .asInstanceOf(InstanceOfAssertFactories.type(MemoryException.class))
        .matches(e -> e.code() == ErrorCode.DISK_FULL);
    assertThat(backups().ids()).isEmpty();
    assertThat(contents()).isEmpty();
  }

  /// A manifest that cannot be written leaves neither its draft nor what it would have named.
  @Test
  void manifestThatCannotBeWritten_leavesNothing() throws IOException {
    put(TestEvents.messages("a", 50));
    backUp();
    put(TestEvents.messages("b", 50));
    Path checkpoint = checkpoint();
    String id = directory().nextId(NOW);
    Files.createDirectory(backups().manifest(id));

    assertThatThrownBy(() -> write(id, checkpoint, BackupProgress.NONE))
        .isInstanceOf(MemoryException.class);
    assertThat(backups().ids()).hasSize(1);
    assertThat(backups().verify(backups().ids().getFirst(), BackupProgress.NONE)).isEmpty();
    assertOnlyNeeded();
    try (Stream<Path> left = Files.list(backups().folder())) {
      assertThat(left).noneMatch(file -> file.toString().endsWith(".new"));
    }
  }

  @Test
  void failure_isNoted_untilABackupIsMade() throws IOException {
    assertThat(backups().lastFailure()).isEmpty();
    var first = new FailedBackup(directory().nextId(NOW), NOW, "the disk is full");
    backups().note(first);
    assertThat(backups().lastFailure()).hasValue(first);
    assertThat(backups().ids()).isEmpty();
    put(TestEvents.messages("a", 5));
    backUp();
    assertThat(backups().lastFailure()).isEmpty();

    var second = new FailedBackup(directory().nextId(NOW), NOW.plusSeconds(1), "a second time");
    backups().note(second);
    assertThat(backups().lastFailure()).hasValue(second);
    assertThat(backups().ids()).hasSize(1);
    Files.writeString(backups().folder().resolve("failed.json"), "{\"format\":");
    assertThat(backups().lastFailure()).isEmpty();
  }

  @Test
  void retention_keepsTheNewestAndWhatTheyNeed() throws IOException {
    for (int i = 0; i < 4; i++) {
      put(TestEvents.messages("s" + i, 20));
      backUp();
      store.compact();
    }
    List<String> ids = backups().ids();

    assertThat(backups().retain(2)).isEqualTo(2);
    assertThat(backups().ids()).isEqualTo(ids.subList(2, 4));
    for (String id : backups().ids()) {
      assertThat(backups().verify(id, BackupProgress.NONE)).isEmpty();
    }
    assertOnlyNeeded();
  }

  @Test
  void retention_leavesTheBackupsOfAnotherStoreOfThatName() {
    put(TestEvents.messages("a", 20));
    backUp();
    Path folder = temp.resolve("of-the-other");
    try (RocksStore other = RocksStore.open(temp.resolve("other"), StorageConfig.DEFAULT, CLOCK)) {
      other.commit(commit(TestEvents.message("b", NOW, "of another store")));
      other.checkpoint(folder);
    }
    String others = write(folder, BackupProgress.NONE).manifest().id();
    assertThat(backups().retain(1)).isZero();
    String newest = backUp().manifest().id();

    assertThat(backups().retain(1)).isEqualTo(1);
    assertThat(backups().ids()).containsExactly(others, newest);
    assertThat(backups().verify(others, BackupProgress.NONE)).isEmpty();
  }

  @Test
  void directoryOfOthers_isRefusedAndNotTouched() throws IOException {
    Path foreign = Files.createDirectory(temp.resolve("foreign"));
    Files.writeString(foreign.resolve("thesis.tex"), "mine");

    assertThatThrownBy(() -> BackupDirectory.create(foreign, NOW))
        .hasMessageContaining("thesis.tex")
        .hasMessageContaining("empty or new");
    assertThat(foreign).isDirectoryContaining(file -> file.endsWith("thesis.tex"));
    assertThat(foreign.toFile().list()).hasSize(1);
    assertThatThrownBy(() -> BackupDirectory.open(foreign))
        .hasMessageContaining("is not a backup directory");
  }

  @Test
  void formerFormat_isToldWithoutChangingAnything() throws IOException {
    Path former = GoldenStore.FORMAT_2.unpack(Files.createDirectory(temp.resolve("former")));
    Map<String, String> before = hashes(former);

    assertThat(RocksStore.formerFormat(former)).contains(2);
    assertThat(hashes(former)).isEqualTo(before);
    assertThat(RocksStore.formerFormat(temp.resolve("store"))).isEmpty();
    assertThat(RocksStore.formerFormat(temp.resolve("nothing"))).isEmpty();
    RocksStore.open(former, StorageConfig.DEFAULT, CLOCK).close();
    assertThat(RocksStore.formerFormat(former)).isEmpty();
  }

  @Test
  void storeOfAFormerFormat_isBackedUpAsItLies() throws IOException {
    Path former = GoldenStore.FORMAT_1.unpack(Files.createDirectory(temp.resolve("former")));
    BackupManifest manifest = write(former, BackupProgress.NONE).manifest();

    assertThat(manifest.storeFormat()).isEqualTo(1);
    assertThat(manifest.events()).isEqualTo(GoldenStore.EVENTS);
    try (RocksStore restored = restored(manifest)) {
      assertThat(restored.stats().events()).isEqualTo(GoldenStore.EVENTS);
      assertThat(restored.verify(10)).isEmpty();
    }
  }

  private static Map<String, String> hashes(Path folder) throws IOException {
    var hashes = new TreeMap<String, String>();
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        hashes.put(file.toString(), Hashing.of(file, bytes -> {}));
      }
    }
    return hashes;
  }

  @Test
  void oneWriterAtATime() {
    try (var _ = directory().lock()) {
      assertThatThrownBy(() -> directory().lock()).hasMessageContaining("another backup");
    }
    directory().lock().close();
  }

  @Test
  void pathThatLeadsOut_isNoFileOfABackup() {
    for (String path :
        List.of("../x", "rocksdb/../x", "rocksdb/a/b", "/etc/passwd", "rocksdb/..")) {
      assertThatThrownBy(() -> new BackupFile(path, 1, "0".repeat(64), ""))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  private void put(List<Event> events) {
    store.commit(Commit.of(events.stream().<Change>map(Change.AppendEvent::new).toList()));
  }

  private static Commit commit(Event event) {
    return Commit.of(new Change.AppendEvent(event));
  }

  private BackupDirectory directory() {
    return BackupDirectory.create(temp.resolve("backups"), NOW);
  }

  private WorkspaceBackups backups() {
    return directory().of("default");
  }

  private final AtomicInteger checkpoints = new AtomicInteger();

  private Path checkpoint() {
    Path folder = temp.resolve("checkpoint" + checkpoints.incrementAndGet());
    store.checkpoint(folder);
    return folder;
  }

  private BackupWriter.Written backUp() {
    return write(checkpoint(), BackupProgress.NONE);
  }

  private BackupWriter.Written write(Path checkpoint, BackupProgress progress) {
    return write(directory().nextId(NOW), checkpoint, progress);
  }

  private BackupWriter.Written write(String id, Path checkpoint, BackupProgress progress) {
    try (var _ = directory().lock()) {
      return BackupWriter.write(
          backups(),
          id,
          new BackupSource(checkpoint, Optional.empty(), checkpoint, NOW, "test", 0),
          progress);
    }
  }

  private RocksStore restored(BackupManifest manifest) {
    Path to = temp.resolve("restored" + checkpoints.incrementAndGet());
    Restore.restore(backups(), manifest, to, temp.resolve("no-index"), BackupProgress.NONE);
    return RocksStore.open(to, StorageConfig.DEFAULT, CLOCK);
  }

  private List<Path> contents() throws IOException {
    try (Stream<Path> all = Files.list(backups().files())) {
      return all.toList();
    }
  }

  private static Path newestTable(Path checkpoint, BackupManifest former) throws IOException {
    try (Stream<Path> all = Files.list(StoreDirectory.tables(checkpoint))) {
      return all.filter(file -> file.toString().endsWith(".sst"))
          .filter(file ->
              former.files().stream()
                  .noneMatch(old -> old.path().endsWith("/" + file.getFileName())))
          .findFirst()
          .orElseThrow();
    }
  }

  /// No file is there that no backup needs.
  private void assertOnlyNeeded() throws IOException {
    assertThat(backups().partial()).doesNotExist();
    List<String> needed =
        backups().readable().stream()
            .flatMap(manifest -> manifest.files().stream())
            .map(BackupFile::sha256)
            .distinct()
            .toList();
    assertThat(contents())
        .extracting(file -> file.getFileName().toString())
        .containsExactlyInAnyOrderElementsOf(needed);
  }
}
