package dev.agentmemory.rocksdb;

import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.rocksdb.internal.engine.TableFiles;
import dev.agentmemory.storage.rows.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// The folders of a test that damages a store and recovers it.
///
/// @param data the data directory, in which the store is
record RecoveredStore(Path data) {

  private static final InstantSource CLOCK = InstantSource.system();

  /// What is done with an open store.
  interface Filling {

    void fill(RocksStore opened);
  }

  /// Waits until the witness has seen everything.
  interface Waiting {

    void await(Path witness) throws IOException;
  }

  /// The store that is damaged.
  Path store() {
    return data.resolve("db").resolve("default");
  }

  Path tables() {
    return store().resolve("rocksdb");
  }

  /// The store that recovery writes.
  Path target() {
    return data.resolve("recovered").resolve("default");
  }

  RocksStore open(Path directory) {
    StoreLocation location =
        directory.equals(store())
            ? StoreLocation.within(data, store())
            : StoreLocation.of(directory);
    return RocksStore.open(location, StorageConfig.DEFAULT, CLOCK);
  }

  /// Leaves the store as a kill would: what is filled in last is in the log only.
  void fillAndKill(Filling last, Waiting witnessed) throws IOException {
    Path running = data.resolve("running");
    Path witness = data.resolve("witness").resolve("default");
    try (RocksStore opened = open(store())) {
      last.fill(opened);
      witnessed.await(witness);
      StoreFolders.copy(store(), running);
      Files.copy(witness, data.resolve("saved"));
    }
    StoreFolders.delete(store());
    Files.move(running, store());
    Files.move(data.resolve("saved"), witness, StandardCopyOption.REPLACE_EXISTING);
  }

  RecoveryReport recover() {
    return new StoreRecovery(
            StoreLocation.within(data, store()),
            StoreLocation.of(target()),
            StorageConfig.DEFAULT,
            CLOCK)
        .run();
  }

  /// The newest file of the engine with this in its name that has a content.
  Path file(String part) throws IOException {
    try (Stream<Path> files = Files.list(tables())) {
      return files
          .filter(file -> String.valueOf(file.getFileName()).contains(part))
          .filter(file -> file.toFile().length() > 0)
          .max(Path::compareTo)
          .orElseThrow();
    }
  }

  /// The files of a table, the oldest first. Opening writes files, so a copy is opened.
  List<Path> tableFiles(Table table) throws IOException {
    Path copy = data.resolve("look");
    StoreFolders.copy(tables(), copy);
    var files = new ArrayList<Path>();
    for (Path file : TableFiles.files(copy, table)) {
      Path original = tables().resolve(file.getFileName());
      if (Files.exists(original)) {
        files.add(original);
      }
    }
    StoreFolders.delete(copy);
    files.sort(Path::compareTo);
    return files;
  }
}
