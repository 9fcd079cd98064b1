package dev.agentmemory.rocksdb;

import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.testkit.contract.CommitContract;
import dev.agentmemory.testkit.contract.ErasureContract;
import dev.agentmemory.testkit.contract.LogContract;
import dev.agentmemory.testkit.contract.ModelContract;
import dev.agentmemory.testkit.contract.OutboxContract;
import dev.agentmemory.testkit.contract.PositionContract;
import dev.agentmemory.testkit.contract.RecordContract;
import dev.agentmemory.testkit.contract.SegmentContract;
import dev.agentmemory.testkit.contract.SharedContract;
import dev.agentmemory.testkit.contract.TocContract;
import dev.agentmemory.testkit.contract.UsageContract;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class RocksStoreTest {

  @TempDir private Path directory;
  private int opened;

  /// A store in a folder of its own: a test may open two.
  private MemoryStore fresh() {
    opened++;
    return RocksStore.open(
        directory.resolve("store" + opened), StorageConfig.DEFAULT, InstantSource.system());
  }

  @Nested
  class Commits extends CommitContract {
    @Override
    protected MemoryStore open() {
      return fresh();
    }
  }

  @Nested
  class Erasures extends ErasureContract {
    @Override
    protected MemoryStore open() {
      return fresh();
    }
  }

  @Nested
  class Logs extends LogContract {
    @Override
    protected MemoryStore open() {
      return fresh();
    }
  }

  @Nested
  class Outboxs extends OutboxContract {
    @Override
    protected MemoryStore open() {
      return fresh();
    }
  }

  @Nested
  class Positions extends PositionContract {
    @Override
    protected MemoryStore open() {
      return fresh();
    }
  }

  @Nested
  class Tocs extends TocContract {
    @Override
    protected MemoryStore open() {
      return fresh();
    }
  }

  @Nested
  class Records extends RecordContract {
    @Override
    protected MemoryStore open() {
      return fresh();
    }
  }

  @Nested
  class Usages extends UsageContract {
    @Override
    protected MemoryStore open() {
      return fresh();
    }
  }

  @Nested
  class Shared extends SharedContract {
    @Override
    protected MemoryStore open() {
      return fresh();
    }
  }

  @Nested
  class Segments extends SegmentContract {
    @Override
    protected MemoryStore open() {
      return fresh();
    }
  }

  @Nested
  class Model extends ModelContract {
    @Override
    protected MemoryStore open() {
      return fresh();
    }

    @Override
    protected MemoryStore reopen(MemoryStore store) {
      store.close();
      opened--;
      return fresh();
    }
  }
}
