package dev.agentmemory.rocksdb.folder;

import dev.agentmemory.rocksdb.RocksStore;
import dev.agentmemory.rocksdb.StoreLocation;
import dev.agentmemory.rocksdb.StoreMemory;
import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.store.registry.StoreNote;
import dev.agentmemory.store.registry.StoreRegistry;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The stores of a data directory, each in a folder of its own. A workspace's name is its folder's;
/// what lies there and holds no store is no workspace. One that has a witness and no folder is a
/// workspace whose store was lost: it must not look as if it had never been.
///
/// Stores are opened with the lock of the data directory held, and are not compacted before
/// [RocksStore#beginCompaction].
public final class FolderRegistry implements StoreRegistry {

  private static final int LEVELS = 4;

  private final Path data;
  private final Path db;
  private final Path account;
  private final Path witnesses;
  private final StorageConfig config;
  private final InstantSource clock;
  private final StoreMemory memory;
  private final StoreRemoval removal;

  /// @param data the data directory, which has the witnesses
  /// @param db the folder of the workspaces' folders
  /// @param account the folder of the account's store
  /// @param index the folder of the search indexes, which go with their workspaces
  /// @param memory has to be closed after the stores
  public FolderRegistry(
      Path data,
      Path db,
      Path account,
      Path index,
      StorageConfig config,
      InstantSource clock,
      StoreMemory memory) {
    this.data = data;
    this.db = db;
    this.account = account;
    this.witnesses = data.resolve(StoreLocation.WITNESSES);
    this.config = config;
    this.clock = clock;
    this.memory = memory;
    this.removal = new StoreRemoval(db, index, witnesses);
  }

  /// The folder of a workspace's store.
  public Path folder(WorkspaceName name) {
    return db.resolve(name.value());
  }

  @Override
  public List<WorkspaceName> names() {
    return Stream.concat(list(db).stream(), list(witnesses).stream())
        .filter(this::has)
        .distinct()
        .sorted()
        .toList();
  }

  private static List<WorkspaceName> list(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .flatMap(file -> WorkspaceName.of(file.getFileName().toString()).stream())
          .toList();
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (IOException | UncheckedIOException e) {
      throw new MemoryException(
          ErrorCode.STORAGE_FAILED, "cannot list " + directory + "; check its permissions", e);
    }
  }

  @Override
  public boolean has(WorkspaceName name) {
    return Files.isDirectory(folder(name), LinkOption.NOFOLLOW_LINKS)
        ? RocksStore.isStore(folder(name))
        : !isOccupied(name) && Files.exists(witnesses.resolve(name.value()));
  }

  @Override
  public boolean isOccupied(WorkspaceName name) {
    return Files.exists(folder(name), LinkOption.NOFOLLOW_LINKS);
  }

  /// @throws MemoryException as [RocksStore#open]
  @Override
  public RocksStore open(WorkspaceName name) {
    return open(folder(name));
  }

  /// Opens the store of a folder, or makes one there.
  ///
  /// @throws MemoryException as [RocksStore#open]
  public RocksStore open(Path folder) {
    RocksStore store = RocksStore.open(StoreLocation.within(data, folder), config, clock, memory);
    try {
      // From here on the note is not true any more.
      NoteFile.remove(folder);
      return store;
    } catch (IOException e) {
      store.close();
      throw unwritable(folder, e);
    }
  }

  private static MemoryException unwritable(Path folder, IOException cause) {
    return new MemoryException(
        ErrorCode.STORAGE_FAILED, "cannot write in " + folder + "; check its permissions", cause);
  }

  @Override
  public Optional<StoreNote> note(WorkspaceName name) {
    return NoteFile.read(folder(name));
  }

  @Override
  public void note(WorkspaceName name, StoreNote note) {
    try {
      NoteFile.write(folder(name), note);
    } catch (IOException e) {
      throw unwritable(folder(name), e);
    }
  }

  @Override
  public long bytes(WorkspaceName name) {
    try (Stream<Path> files = Files.walk(folder(name), LEVELS)) {
      return files.mapToLong(FolderRegistry::size).sum();
    } catch (IOException | UncheckedIOException e) {
      return 0;
    }
  }

  private static long size(Path file) {
    try {
      return Files.isRegularFile(file) ? Files.size(file) : 0;
    } catch (IOException e) {
      return 0;
    }
  }

  @Override
  public void delete(WorkspaceName name) {
    removal.remove(name);
  }

  /// Deletes what is left of workspaces whose deletion a crash cut short. To be called before any
  /// store is opened.
  public void finishDeletions() {
    removal.finish();
  }

  /// Whether a folder beside the stores is what is left of a deleted one.
  public static boolean isLeftover(Path folder) {
    return StoreRemoval.isLeftover(folder);
  }

  @Override
  public boolean hasAccount() {
    return RocksStore.isStore(account);
  }

  @Override
  public RocksStore openAccount() {
    return open(account);
  }
}
