package dev.agentmemory.rocksdb;

import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.testkit.contract.EveryRowStoreContract;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class RocksStoreTest extends EveryRowStoreContract {

  @TempDir private Path directory;
  private int opened;

  /// A store in a folder of its own: a test may open two.
  @Override
  protected MemoryStore fresh() {
    opened++;
    return open();
  }

  @Override
  protected MemoryStore reopened(MemoryStore store) {
    store.close();
    return open();
  }

  private MemoryStore open() {
    return RocksStore.open(
        directory.resolve("store" + opened), StorageConfig.DEFAULT, InstantSource.system());
  }
}
