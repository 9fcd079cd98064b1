package dev.agentmemory.rocksdb.backup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.rocksdb.RocksStore;
import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.store.Commit;
import dev.agentmemory.testkit.TestEvents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Backups that were made before a time, found and deleted without a key.
@Tag("slow")
final class OldBackupTest {

  private static final Instant DAY_1 = Instant.parse("2026-01-01T03:30:00Z");
  private static final Instant DAY_2 = Instant.parse("2026-01-02T03:30:00Z");
  private static final Instant DAY_3 = Instant.parse("2026-01-03T03:30:00Z");

  private final BackupKey key = BackupKey.draw();

  @TempDir private Path temp;
  private RocksStore store;
  private String first;
  private String second;
  private String third;

  @BeforeEach
  void backUp() {
    store = RocksStore.open(temp.resolve("store"), StorageConfig.DEFAULT, () -> DAY_1);
    first = backUp(DAY_1);
    second = backUp(DAY_2);
    store.compact();
    third = backUp(DAY_3);
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void madeBefore_listsThoseThatBeganEarlier_withTheirSizes() {
    assertThat(backups().madeBefore(DAY_1)).isEmpty();
    assertThat(backups().madeBefore(DAY_3))
        .extracting(OldBackup::id)
        .containsExactly(first, second);
    assertThat(backups().madeBefore(Instant.MAX)).hasSize(3);
    OldBackup oldest = backups().madeBefore(DAY_2).getFirst();
    assertThat(oldest)
        .isEqualTo(
            new OldBackup(
                "default", first, DAY_1, backups().outline(first).bytes(), Optional.empty()));
    assertThat(oldest.bytes()).isPositive();
  }

  @Test
  void delete_freesWhatOnlyTheyNeed_othersStayWhole() throws IOException {
    long before = stored();
    long announced = backups().bytesOnlyOf(List.of(first, second));

    assertThat(backups().delete(List.of(first, second))).isEqualTo(announced).isPositive();
    assertThat(stored()).isEqualTo(before - announced);
    assertThat(backups().ids()).containsExactly(third);
    assertThat(directory().with(key).of("default").verify(third, BackupProgress.NONE)).isEmpty();
    assertThat(backups().delete(List.of(third))).isPositive();
    assertThat(stored()).isZero();
  }

  /// The manifests are deleted first, and then the process ends.
  @Test
  void deletionThatWasCutOff_isFinishedByTheNextOne() throws IOException {
    long announced = backups().bytesOnlyOf(List.of(first, second));
    Files.delete(backups().manifest(first));
    Files.delete(backups().manifest(second));
    Files.createDirectories(backups().partial());

    assertThat(backups().delete(List.of())).isEqualTo(announced);
    assertThat(backups().partial()).doesNotExist();
    assertThat(directory().with(key).of("default").verify(third, BackupProgress.NONE)).isEmpty();
  }

  @Test
  void damagedManifest_isListedByTheTimeOfItsId_andKeepsAllContents() throws IOException {
    Files.writeString(backups().manifest(second), "damaged");
    OldBackup damaged = backups().madeBefore(DAY_3).getLast();
    assertThat(damaged.id()).isEqualTo(second);
    assertThat(damaged.createdAt()).isEqualTo(DAY_2);
    assertThat(damaged.problem().orElseThrow()).contains("cannot be used");

    long before = stored();
    assertThat(backups().bytesOnlyOf(List.of(first))).isZero();
    assertThat(backups().delete(List.of(first))).isZero();
    assertThat(stored()).isEqualTo(before);
    assertThat(backups().delete(List.of(second))).isPositive();
    assertThat(directory().with(key).of("default").verify(third, BackupProgress.NONE)).isEmpty();
  }

  private BackupDirectory directory() {
    return BackupDirectory.create(temp.resolve("backups"), DAY_1);
  }

  private WorkspaceBackups backups() {
    return directory().of("default");
  }

  private String backUp(Instant at) {
    store.commit(Commit.append(TestEvents.messages("s" + at.toEpochMilli(), 20)));
    Path checkpoint = temp.resolve("checkpoint" + at.toEpochMilli());
    store.checkpoint(checkpoint);
    var source = new BackupSource(checkpoint, Optional.empty(), checkpoint, at, "test", 0);
    try (var _ = directory().lock()) {
      return BackupWriter.write(
              directory().with(key).of("default"),
              directory().nextId(at),
              source,
              BackupProgress.NONE)
          .manifest()
          .id();
    }
  }

  private long stored() throws IOException {
    try (Stream<Path> all = Files.list(backups().files())) {
      return all.mapToLong(file -> file.toFile().length()).sum();
    }
  }
}
