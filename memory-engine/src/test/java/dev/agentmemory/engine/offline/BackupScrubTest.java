package dev.agentmemory.engine.offline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.rocksdb.RocksStore;
import dev.agentmemory.rocksdb.backup.BackupDirectory;
import dev.agentmemory.rocksdb.backup.BackupProgress;
import dev.agentmemory.rocksdb.backup.BackupSource;
import dev.agentmemory.rocksdb.backup.BackupWriter;
import dev.agentmemory.rocksdb.backup.OldBackup;
import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.store.Commit;
import dev.agentmemory.testkit.TestEvents;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Which backups an erasure leaves behind, and what is done with them.
class BackupScrubTest {

  private static final Instant BEFORE = Instant.parse("2026-01-01T03:30:00Z");
  private static final Instant ERASED = Instant.parse("2026-01-01T12:00:00Z");
  private static final Instant AFTER = Instant.parse("2026-01-02T03:30:00Z");

  @TempDir private Path folder;
  private BackupDirectory backups;
  private BackupScrub scrub;

  @BeforeEach
  void backUp() {
    Path store = folder.resolve("store");
    try (RocksStore open = RocksStore.open(store, StorageConfig.DEFAULT, () -> BEFORE)) {
      open.commit(Commit.append(TestEvents.messages("s", 3)));
    }
    backups = BackupDirectory.create(folder.resolve("backups"), BEFORE);
    backUp("billing", store, BEFORE);
    backUp("work", store, BEFORE);
    backUp("work", store, AFTER);
    scrub = new BackupScrub(backups);
  }

  private void backUp(String name, Path store, Instant at) {
    BackupWriter.write(
        backups.of(name),
        backups.nextId(at),
        new BackupSource(store, Optional.empty(), store, at, "1", 0),
        BackupProgress.NONE);
  }

  @Test
  void preview_tellsWhatIsAffected_andChangesNothing() {
    List<BackupScrub.Scrubbed> all = scrub.preview(List.of(), ERASED);

    assertThat(all).extracting(BackupScrub.Scrubbed::workspace).containsExactly("billing", "work");
    assertThat(all).allMatch(one -> one.affected().size() == 1 && one.unreadable().isEmpty());
    assertThat(all).extracting(BackupScrub.Scrubbed::remaining).containsExactly(0, 1);
    assertThat(all.getFirst().freedBytes())
        .isEqualTo(all.getFirst().affected().getFirst().bytes())
        .isPositive();
    // The later backup of an unchanged store needs the same files.
    assertThat(all.getLast().freedBytes()).isZero();
    assertThat(backups.of("billing").ids()).hasSize(1);
    assertThat(scrub.preview(List.of("work"), ERASED)).hasSize(1);
  }

  @Test
  void deletion_deletesTheAffectedOnes_ofTheWorkspacesNamed() {
    long announced = scrub.preview(List.of("billing"), ERASED).getFirst().freedBytes();
    BackupScrub.Scrubbed done = scrub.delete(List.of("billing"), ERASED).getFirst();

    assertThat(done.freedBytes()).isEqualTo(announced);
    assertThat(done.affected()).extracting(OldBackup::createdAt).containsExactly(BEFORE);
    assertThat(backups.of("billing").ids()).isEmpty();
    assertThat(backups.of("work").ids()).hasSize(2);

    scrub.delete(List.of(), ERASED);
    String left = backups.of("work").ids().getFirst();
    assertThat(backups.of("work").read(left).createdAt()).isEqualTo(AFTER);
    assertThat(backups.of("work").verify(left, BackupProgress.NONE)).isEmpty();
  }

  @Test
  void damagedManifestOfAnotherBackup_isReported() throws Exception {
    String later = backups.of("work").ids().getLast();
    Files.writeString(folder.resolve("backups/work").resolve(later + ".manifest"), "damaged");

    assertThat(scrub.preview(List.of("work"), ERASED).getFirst().unreadable())
        .containsExactly(later);
  }

  @Test
  void backupThatIsWritten_isNotDisturbed() {
    try (var _ = backups.lock()) {
      assertThatThrownBy(() -> scrub.delete(List.of(), ERASED))
          .hasMessageContaining("another backup is being written");
      assertThat(scrub.preview(List.of(), ERASED)).hasSize(2);
    }
  }
}
