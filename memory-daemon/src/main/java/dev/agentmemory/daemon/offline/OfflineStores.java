package dev.agentmemory.daemon.offline;

import dev.agentmemory.daemon.config.DaemonConfig;
import dev.agentmemory.daemon.data.OwnDirectory;
import dev.agentmemory.daemon.data.WorkspaceRemoval;
import dev.agentmemory.storage.RocksStore;
import dev.agentmemory.storage.StoreLocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// The stores of a data directory, for commands that work without a daemon.
public final class OfflineStores {

  private OfflineStores() {}

  /// Those of the workspaces by name, then, if there is one, that of what belongs to none.
  public static List<StoreLocation> of(DaemonConfig config) throws IOException {
    Stream<Path> account = Stream.of(config.data().resolve(OwnDirectory.ACCOUNT));
    if (!Files.isDirectory(config.db())) {
      return located(config, account);
    }
    try (Stream<Path> folders = Files.list(config.db())) {
      return located(config, Stream.concat(folders.sorted(), account));
    }
  }

  private static List<StoreLocation> located(DaemonConfig config, Stream<Path> folders) {
    return folders
        .filter(folder -> !WorkspaceRemoval.isLeftover(folder))
        .filter(RocksStore::isStore)
        .map(folder -> StoreLocation.within(config.data(), folder))
        .toList();
  }
}
