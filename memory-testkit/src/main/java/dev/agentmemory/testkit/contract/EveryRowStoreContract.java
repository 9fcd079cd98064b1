package dev.agentmemory.testkit.contract;

import dev.agentmemory.store.MemoryStore;
import org.junit.jupiter.api.Nested;

/// All contracts of a store, and the comparison with the model. An engine extends this once.
public abstract class EveryRowStoreContract extends EveryStoreContract {

  /// Closes a store that [#fresh] has opened last, and opens it again with what it holds.
  protected abstract MemoryStore reopened(MemoryStore store);

  @Nested
  class Model extends ModelContract {
    @Override
    protected MemoryStore open() {
      return fresh();
    }

    @Override
    protected MemoryStore reopen(MemoryStore store) {
      return reopened(store);
    }
  }
}
