package dev.agentmemory.testkit.contract;

import dev.agentmemory.store.MemoryStore;
import org.junit.jupiter.api.Nested;

/// All contracts of a store. An implementation extends this once.
public abstract class EveryStoreContract {

  /// Opens an empty store in UTC. A test may open several.
  protected abstract MemoryStore fresh();

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
}
