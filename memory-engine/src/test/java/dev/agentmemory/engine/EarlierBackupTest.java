package dev.agentmemory.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.agentmemory.api.Backups;
import dev.agentmemory.api.audit.AuditActor;
import dev.agentmemory.api.audit.AuditTrail;
import dev.agentmemory.engine.backup.BackupMaker;
import dev.agentmemory.engine.backup.EarlierBackup;
import dev.agentmemory.engine.backup.StoreBackup;
import dev.agentmemory.engine.config.BackupConfig;
import dev.agentmemory.engine.config.EngineConfig;
import dev.agentmemory.engine.config.WorkspacesConfig;
import dev.agentmemory.rocksdb.RocksStore;
import dev.agentmemory.rocksdb.backup.BackupDirectory;
import dev.agentmemory.rocksdb.backup.BackupKey;
import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.store.Commit;
import dev.agentmemory.testkit.TestEvents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The backups that a daemon knows of a store, and the key that it uses for them.
class EarlierBackupTest {

  private static final Instant NOW = Instant.parse("2026-01-01T03:30:00Z");

  @TempDir private Path folder;
  private Path store;
  private Path configured;
  private Path keyFile;
  private EngineConfig config;
  private BackupMaker backups;

  @BeforeEach
  void open() throws IOException {
    Files.createDirectories(folder.resolve("data"));
    store = folder.resolve("store");
    configured = folder.resolve("backups");
    keyFile = folder.resolve("backup.key");
    try (RocksStore made = RocksStore.open(store, StorageConfig.DEFAULT, () -> NOW)) {
      made.commit(Commit.append(TestEvents.messages("s", 3)));
    }
    BackupConfig plain = BackupConfig.DEFAULT;
    config =
        TestConfig.of(
            folder.resolve("data"),
            WorkspacesConfig.DEFAULT,
            TestConfig.NO_EMBEDDING,
            new BackupConfig(
                Optional.of(configured),
                plain.cron(),
                plain.keep(),
                plain.withIndex(),
                plain.bytesPerSecond(),
                plain.beforeUpgrade(),
                Optional.of(keyFile)));
    backups = maker();
  }

  private BackupMaker maker() {
    return new BackupMaker(
        SystemServices.of(() -> NOW), config, AuditTrail.NONE, AuditActor.DAEMON);
  }

  private String backUp(Path directory) {
    return backups
        .run(Backups.Target.of(directory), () -> {}, run -> run.makeOfClosed("work", store))
        .manifest()
        .id();
  }

  @Test
  void madeBefore_findsThoseOfTheConfiguredDirectory_andThoseBeforeUpgrades() {
    BackupKey.draw().write(keyFile);
    Path upgrade = folder.resolve("data/backups/before-format-4");
    assertThat(backups.madeBefore("work", Instant.MAX)).isEmpty();
    String first = backUp(configured);
    String second = backUp(upgrade);

    assertThat(backups.madeBefore("work", NOW.plusMillis(1)))
        .extracting(EarlierBackup::directory, one -> one.backup().id())
        .containsExactly(tuple(configured, first), tuple(upgrade, second));
    assertThat(backups.madeBefore("work", NOW)).isEmpty();
    assertThat(backups.madeBefore("other", Instant.MAX)).isEmpty();
  }

  @Test
  void madeBefore_findsThoseOfDirectoriesThatWereRequested_alsoAfterARestart() throws IOException {
    BackupKey.draw().write(keyFile);
    Path one = folder.resolve("with \"quotes\"\nand a line");
    Path other = folder.resolve("other");
    String first = backUp(one);
    String second = backUp(other);
    var _ = backUp(one);
    backups = maker();

    assertThat(backups.madeBefore("work", Instant.MAX))
        .extracting(EarlierBackup::directory, found -> found.backup().id())
        .startsWith(tuple(one, first))
        .endsWith(tuple(other, second))
        .hasSize(3);
    StoreBackup store = new StoreBackup(backups, BackupConfig.DEFAULT, "work", _ -> {});
    assertThat(store.folders()).containsExactly(one.resolve("work"), other.resolve("work"));

    Files.move(other, folder.resolve("away"));

    assertThat(store.folders()).containsExactly(one.resolve("work"));
    assertThat(store.madeBefore(Instant.MAX))
        .hasSize(3)
        .last()
        .asString()
        .startsWith(other + " (cannot be read now");
  }

  @Test
  void keyFileThatIsConfigured_encryptsEveryBackup_andIsNeeded() {
    assertThatThrownBy(() -> backUp(configured)).hasMessageContaining("does not exist");
    assertThat(configured).doesNotExist();
    BackupKey key = BackupKey.draw();
    key.write(keyFile);
    String id = backUp(configured);

    assertThat(BackupDirectory.open(configured).of("work").outline(id).keyId()).contains(key.id());
  }
}
