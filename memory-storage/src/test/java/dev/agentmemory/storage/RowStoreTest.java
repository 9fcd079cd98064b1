package dev.agentmemory.storage;

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
import org.junit.jupiter.api.Nested;

/// What a store means, in rows of no engine.
class RowStoreTest {

  private static MemoryStore fresh() {
    return HeapRowStore.open(new HeapRows());
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

    private HeapRows rows = new HeapRows();

    @Override
    protected MemoryStore open() {
      rows = new HeapRows();
      return HeapRowStore.open(rows);
    }

    @Override
    protected MemoryStore reopen(MemoryStore store) {
      store.close();
      rows = rows.reopened();
      return HeapRowStore.open(rows);
    }
  }
}
