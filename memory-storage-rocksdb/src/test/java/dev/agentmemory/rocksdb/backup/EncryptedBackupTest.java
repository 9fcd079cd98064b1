package dev.agentmemory.rocksdb.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.agentmemory.rocksdb.RocksStore;
import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.contract.StoreReading;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Encrypted backups of a real store.
@Tag("slow")
final class EncryptedBackupTest {

  private static final Instant NOW = Instant.parse("2026-01-30T14:30:00Z");

  /// In files of the engine. Texts are compressed in the files of any backup.
  private static final String IN_FILES = "leveldb.BytewiseComparator";

  private static final String IN_MANIFESTS = "rocksdb/";

  private final BackupKey key = BackupKey.draw();

  @TempDir private Path temp;
  private RocksStore store;
  private int folders;

  @BeforeEach
  void open() {
    store = RocksStore.open(temp.resolve("store"), StorageConfig.DEFAULT, () -> NOW);
    put(TestEvents.messages("a", 50));
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void restoredWithItsKey_isTheStoreAsItWas() {
    Map<String, Object> before = StoreReading.of(store, List.of());
    BackupManifest made = backUp(encrypted()).manifest();

    BackupManifest read = encrypted().read(made.id());
    assertThat(read).isEqualTo(made);
    assertThat(encrypted().verify(made.id(), BackupProgress.NONE)).isEmpty();
    try (RocksStore restored = restored(read)) {
      assertThat(StoreReading.of(restored, List.of())).isEqualTo(before);
      assertThat(restored.verify(10)).isEmpty();
    }
  }

  @Test
  void files_showNeitherTextsNorNamesNorHashes() throws IOException {
    BackupManifest plain = backUp(plain()).manifest();
    assertThat(filesWith(IN_FILES)).isNotEmpty();
    assertThat(filesWith(IN_MANIFESTS)).isNotEmpty();
    plain().delete(List.of(plain.id()));
    BackupManifest made = backUp(encrypted()).manifest();

    assertThat(made.files()).hasSizeGreaterThan(3);
    assertThat(filesWith(IN_FILES)).isEmpty();
    assertThat(filesWith(IN_MANIFESTS)).isEmpty();
    for (BackupFile file : made.files()) {
      assertThat(filesWith(file.sha256())).isEmpty();
      assertThat(plain().files().resolve(file.sha256())).doesNotExist();
    }
  }

  @Test
  void laterBackups_ofTheSameKey_shareFiles_othersDoNot() throws IOException {
    backUp(encrypted());
    List<Path> first = contents();
    put(TestEvents.messages("b", 1));
    BackupWriter.Written second = backUp(encrypted());
    assertThat(second.newBytes()).isLessThan(second.manifest().bytes());
    assertThat(contents()).containsAll(first);
    assertThat(second.manifest().files()).anyMatch(file -> first.contains(encrypted().file(file)));

    BackupWriter.Written third = backUp(encrypted(BackupKey.draw()));
    assertThat(third.newBytes()).isEqualTo(third.manifest().bytes());
    BackupWriter.Written fourth = backUp(plain());
    assertThat(fourth.newBytes()).isEqualTo(fourth.manifest().bytes());
    assertThat(encrypted().verify(second.manifest().id(), BackupProgress.NONE)).isEmpty();
  }

  @Test
  void withoutTheKey_orWithAnotherOne_isRefusedInASentence() {
    String id = backUp(encrypted()).manifest().id();
    String needed = "backup %s of default is encrypted with the key %s".formatted(id, key.id());
    BackupKey other = BackupKey.draw();

    refused(plain(), id, ErrorCode.CONFLICT, needed + "; give its key file with --key");
    refused(
        encrypted(other),
        id,
        ErrorCode.CONFLICT,
        needed + ", and the key file has the key " + other.id());
    assertThat(plain().verify(id, BackupProgress.NONE))
        .singleElement(InstanceOfAssertFactories.STRING)
        .startsWith(needed);
  }

  /// Else a backup of somebody else could be put in the place of an encrypted one.
  @Test
  void backupThatIsNotEncrypted_isNotTakenWithAKey() {
    String id = backUp(plain()).manifest().id();

    refused(encrypted(), id, ErrorCode.CONFLICT, "is not encrypted; omit the key to use it");
    assertThat(plain().outline(id).keyId()).isEmpty();
  }

  @Test
  void changedBit_inAnyFile_isFound_andTheBackupIsNotRestored() throws IOException {
    BackupManifest manifest = backUp(encrypted()).manifest();
    for (BackupFile file : manifest.files()) {
      Path content = encrypted().file(file);
      byte[] bytes = Files.readAllBytes(content);
      bytes[bytes.length / 2] ^= 1;
      Files.write(content, bytes);

      assertThat(encrypted().verify(manifest.id(), BackupProgress.NONE))
          .singleElement(InstanceOfAssertFactories.STRING)
          .contains(content.toString(), file.path());
      assertNotRestored(manifest, content);
      bytes[bytes.length / 2] ^= 1;
      Files.write(content, bytes);
    }
    assertThat(encrypted().verify(manifest.id(), BackupProgress.NONE)).isEmpty();
  }

  @Test
  void exchangedFiles_areNamed_andTheBackupIsNotRestored() throws IOException {
    BackupManifest manifest = backUp(encrypted()).manifest();
    Path one = encrypted().file(manifest.files().getFirst());
    Path other = encrypted().file(manifest.files().getLast());
    Path aside = temp.resolve("aside");
    Files.move(one, aside);
    Files.move(other, one);
    Files.move(aside, other);

    assertThat(encrypted().verify(manifest.id(), BackupProgress.NONE))
        .hasSize(2)
        .anyMatch(problem -> problem.contains(one.toString()))
        .anyMatch(problem -> problem.contains(other.toString()));
    assertNotRestored(manifest, one);
  }

  @Test
  void manifest_inThePlaceOfAnotherOne_isRefused() throws IOException {
    String first = backUp(encrypted()).manifest().id();
    put(TestEvents.messages("b", 1));
    String second = backUp(encrypted()).manifest().id();
    Path place = encrypted().manifest(second);
    Files.copy(encrypted().manifest(first), place, StandardCopyOption.REPLACE_EXISTING);
    refused(encrypted(), second, ErrorCode.CORRUPT_RECORD, "it belongs to backup " + first);

    // With a first line that fits, and a checksum that fits, the encrypted part tells.
    String text = Files.readString(place).replaceFirst(first, second);
    Files.writeString(place, withChecksum(text));
    refused(encrypted(), second, ErrorCode.CORRUPT_RECORD, place + " cannot be used");
    refused(encrypted(), second, ErrorCode.CORRUPT_RECORD, "was changed, cut off or exchanged");
  }

  @Test
  void firstLineOfTheManifest_isAuthenticated() throws IOException {
    String id = backUp(encrypted()).manifest().id();
    Path file = encrypted().manifest(id);
    String before = "\"created_at_ms\":" + NOW.toEpochMilli();
    String text = Files.readString(file);
    assertThat(text).contains(before);
    Files.writeString(
        file, withChecksum(text.replace(before, "\"created_at_ms\":" + (NOW.toEpochMilli() + 1))));

    refused(encrypted(), id, ErrorCode.CORRUPT_RECORD, "was changed, cut off or exchanged");
  }

  @Test
  void oldBackups_areDeletedWithoutTheirKey() throws IOException {
    backUp(encrypted(BackupKey.draw()));
    store.compact();
    String kept = backUp(encrypted()).manifest().id();

    assertThat(plain().retain(1)).isEqualTo(1);
    assertThat(plain().ids()).containsExactly(kept);
    assertThat(encrypted().verify(kept, BackupProgress.NONE)).isEmpty();
    assertThat(contents())
        .extracting(file -> file.getFileName().toString())
        .containsExactlyInAnyOrderElementsOf(plain().outline(kept).contents().keySet());
  }

  private static String withChecksum(String text) {
    String body = text.substring(0, text.lastIndexOf("\nsha256 "));
    return body + "\nsha256 " + Hashing.of(body.getBytes(StandardCharsets.UTF_8)) + "\n";
  }

  private void assertNotRestored(BackupManifest manifest, Path content) {
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() -> restored(manifest).close())
        .withMessageContaining(content.toString())
        .withMessageContaining("nothing was restored")
        .matches(e -> e.code() == ErrorCode.CORRUPT_RECORD);
  }

  private static void refused(WorkspaceBackups backups, String id, ErrorCode code, String why) {
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() -> backups.read(id))
        .withMessageContaining(why)
        .matches(e -> e.code() == code);
  }

  private void put(List<Event> events) {
    store.commit(Commit.of(events.stream().<Change>map(Change.AppendEvent::new).toList()));
  }

  private BackupDirectory directory() {
    return BackupDirectory.create(temp.resolve("backups"), NOW);
  }

  private WorkspaceBackups plain() {
    return directory().of("default");
  }

  private WorkspaceBackups encrypted() {
    return encrypted(key);
  }

  private WorkspaceBackups encrypted(BackupKey with) {
    return directory().with(with).of("default");
  }

  private BackupWriter.Written backUp(WorkspaceBackups backups) {
    Path checkpoint = temp.resolve("checkpoint" + ++folders);
    store.checkpoint(checkpoint);
    try (var _ = directory().lock()) {
      return BackupWriter.write(
          backups,
          directory().nextId(NOW),
          new BackupSource(checkpoint, Optional.empty(), checkpoint, NOW, "test", 0),
          BackupProgress.NONE);
    }
  }

  private RocksStore restored(BackupManifest manifest) {
    Path to = temp.resolve("restored" + ++folders);
    Restore.restore(encrypted(), manifest, to, temp.resolve("no-index"), BackupProgress.NONE);
    return RocksStore.open(to, StorageConfig.DEFAULT, () -> NOW);
  }

  private List<Path> contents() throws IOException {
    try (Stream<Path> all = Files.list(plain().files())) {
      return all.toList();
    }
  }

  /// Files of the backups that contain a text.
  private List<Path> filesWith(String text) throws IOException {
    try (Stream<Path> all = Files.walk(temp.resolve("backups"))) {
      return all.filter(Files::isRegularFile)
          .filter(file -> contains(file, text))
          .collect(Collectors.toList());
    }
  }

  private static boolean contains(Path file, String text) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1).contains(text);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
