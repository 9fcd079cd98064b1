package dev.agentmemory.testkit.store;

import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.testkit.contract.CommitContract;
import dev.agentmemory.testkit.contract.ErasureContract;
import dev.agentmemory.testkit.contract.LogContract;
import dev.agentmemory.testkit.contract.OutboxContract;
import dev.agentmemory.testkit.contract.PositionContract;
import dev.agentmemory.testkit.contract.RecordContract;
import dev.agentmemory.testkit.contract.SegmentContract;
import dev.agentmemory.testkit.contract.SharedContract;
import dev.agentmemory.testkit.contract.TocContract;
import dev.agentmemory.testkit.contract.UsageContract;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Nested;

class HeapStoreTest {

  @Nested
  class Commits extends CommitContract {
    @Override
    protected MemoryStore open() {
      return new HeapStore(ZoneOffset.UTC);
    }
  }

  @Nested
  class Erasures extends ErasureContract {
    @Override
    protected MemoryStore open() {
      return new HeapStore(ZoneOffset.UTC);
    }
  }

  @Nested
  class Logs extends LogContract {
    @Override
    protected MemoryStore open() {
      return new HeapStore(ZoneOffset.UTC);
    }
  }

  @Nested
  class Outboxs extends OutboxContract {
    @Override
    protected MemoryStore open() {
      return new HeapStore(ZoneOffset.UTC);
    }
  }

  @Nested
  class Positions extends PositionContract {
    @Override
    protected MemoryStore open() {
      return new HeapStore(ZoneOffset.UTC);
    }
  }

  @Nested
  class Tocs extends TocContract {
    @Override
    protected MemoryStore open() {
      return new HeapStore(ZoneOffset.UTC);
    }
  }

  @Nested
  class Records extends RecordContract {
    @Override
    protected MemoryStore open() {
      return new HeapStore(ZoneOffset.UTC);
    }
  }

  @Nested
  class Usages extends UsageContract {
    @Override
    protected MemoryStore open() {
      return new HeapStore(ZoneOffset.UTC);
    }
  }

  @Nested
  class Shared extends SharedContract {
    @Override
    protected MemoryStore open() {
      return new HeapStore(ZoneOffset.UTC);
    }
  }

  @Nested
  class Segments extends SegmentContract {
    @Override
    protected MemoryStore open() {
      return new HeapStore(ZoneOffset.UTC);
    }
  }
}
