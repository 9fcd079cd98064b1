package dev.agentmemory.rocksdb.folder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.rocksdb.StoreMemory;
import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.store.registry.StoreRegistry;
import dev.agentmemory.testkit.contract.RegistryContract;
import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Stores in folders of a data directory.
class FolderRegistryTest extends RegistryContract {

  private static final WorkspaceName A = new WorkspaceName("a");

  @TempDir private Path data;
  private final StoreMemory memory = new StoreMemory(StorageConfig.DEFAULT);
  private FolderRegistry folders;

  @BeforeEach
  void open() {
    folders = another();
  }

  @AfterEach
  void close() {
    memory.close();
  }

  @Override
  protected StoreRegistry registry() {
    return folders;
  }

  @Override
  protected FolderRegistry another() {
    return new FolderRegistry(
        data,
        data.resolve("db"),
        data.resolve("account"),
        data.resolve("index"),
        StorageConfig.DEFAULT,
        InstantSource.system(),
        memory);
  }

  private Path witness() {
    return data.resolve("witness/a");
  }

  @Test
  void folderThatHoldsNoStore_isNoWorkspace_andItsPlaceIsTaken() throws IOException {
    Files.createDirectories(folders.folder(A));
    assertThat(folders.names()).isEmpty();
    assertThat(folders.has(A)).isFalse();
    assertThat(folders.isOccupied(A)).isTrue();
  }

  @Test
  void storeThatWasLost_isAmongThem_andCanBeDeleted() throws IOException {
    folders.open(A).close();
    Files.move(folders.folder(A), data.resolve("gone"));
    assertThat(folders.names()).containsExactly(A);
    folders.delete(A);
    assertThat(folders.names()).isEmpty();
    assertThat(witness()).doesNotExist();
  }

  @Test
  void size_isThatOfTheFiles() {
    folders.open(A).close();
    assertThat(folders.bytes(A)).isPositive();
  }

  @Test
  void deletionThatACrashCutShort_isFinished() throws IOException {
    folders.open(A).close();
    Path index = Files.createDirectories(data.resolve("index/a"));
    assertThat(witness()).exists();
    Path deleted = data.resolve("db/@deleted-a");
    Files.move(folders.folder(A), deleted);
    assertThat(FolderRegistry.isLeftover(deleted)).isTrue();

    another().finishDeletions();

    assertThat(deleted).doesNotExist();
    assertThat(witness()).doesNotExist();
    assertThat(index).doesNotExist();
  }

  @Test
  void leftoverOfAWorkspaceThatWasMadeAnew_takesNothingOfTheNewOne() throws IOException {
    folders.open(A).close();
    Path index = Files.createDirectories(data.resolve("index/a"));
    Path deleted = Files.createDirectories(data.resolve("db/@deleted-a/rocksdb"));

    another().finishDeletions();

    assertThat(deleted.getParent()).doesNotExist();
    assertThat(witness()).exists();
    assertThat(index).exists();
    assertThat(folders.has(A)).isTrue();
  }
}
