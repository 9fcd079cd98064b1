package dev.agentmemory.engine.offline;

import dev.agentmemory.api.audit.AuditActor;
import dev.agentmemory.engine.audit.AuditLog;
import dev.agentmemory.engine.backup.BackupMaker;
import dev.agentmemory.engine.config.EngineConfig;
import dev.agentmemory.engine.data.OwnDirectory;
import dev.agentmemory.rocksdb.RocksStore;
import dev.agentmemory.rocksdb.StoreLocation;
import dev.agentmemory.rocksdb.folder.FolderRegistry;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.storage.file.DurableFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/// The stores of a data directory, for commands that work without a daemon. One whose directory is
/// gone and whose witness is there is among them: it must not look as if it had never been.
public final class OfflineStores {

  private OfflineStores() {}

  /// Those of the workspaces by name, then, if there is one, that of what belongs to none.
  public static List<StoreLocation> of(EngineConfig config) throws IOException {
    Path account = config.data().resolve(OwnDirectory.ACCOUNT);
    Set<Path> folders = new TreeSet<>();
    for (Path folder : listed(config.db())) {
      if (!FolderRegistry.isLeftover(folder) && RocksStore.isStore(folder)) {
        folders.add(folder);
      }
    }
    boolean hasAccount = RocksStore.isStore(account);
    for (Path witness : listed(config.data().resolve(StoreLocation.WITNESSES))) {
      StoreLocation direct = StoreLocation.within(config.data(), account);
      if (direct.witness().filter(witness::equals).isPresent()) {
        hasAccount |= isLost(account);
      } else if (isLost(config.db().resolve(witness.getFileName())) && !isDraft(witness)) {
        folders.add(config.db().resolve(witness.getFileName()));
      }
    }
    List<Path> all = new ArrayList<>(folders);
    if (hasAccount) {
      all.add(account);
    }
    return all.stream().map(folder -> StoreLocation.within(config.data(), folder)).toList();
  }

  /// The folder of a store's search index.
  static Path index(EngineConfig config, StoreLocation store) {
    return config.data().resolve(OwnDirectory.INDEX).resolve(store.directory().getFileName());
  }

  /// What a store is called: its workspace's name, or `@` and what it holds.
  public static String name(StoreLocation store) {
    return String.valueOf(store.witness().orElse(store.directory()).getFileName());
  }

  /// Backs a store up before its format is raised, unless it has the current one or something else
  /// is configured.
  ///
  /// @param store a store that no process has open
  /// @throws dev.agentmemory.types.MemoryException when that fails; the store is as it was
  public static void backUpBeforeUpgrade(
      SystemServices system, EngineConfig config, StoreLocation store) {
    new BackupMaker(system, config, new AuditLog(system.clock(), config.data()), AuditActor.CLI)
        .beforeUpgrade(name(store), store.directory());
  }

  /// Whether nothing is in the place of a store.
  static boolean isLost(Path directory) {
    return !Files.exists(directory, LinkOption.NOFOLLOW_LINKS);
  }

  private static boolean isDraft(Path file) {
    return file.toString().endsWith(DurableFile.DRAFT);
  }

  private static List<Path> listed(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    } catch (NoSuchFileException e) {
      return List.of();
    }
  }
}
