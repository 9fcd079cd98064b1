package dev.agentmemory.storage;

import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.testkit.contract.EveryRowStoreContract;

/// What a store means, in rows of no engine.
class RowStoreTest extends EveryRowStoreContract {

  private HeapRows rows = new HeapRows();

  @Override
  protected MemoryStore fresh() {
    rows = new HeapRows();
    return HeapRowStore.open(rows);
  }

  @Override
  protected MemoryStore reopened(MemoryStore store) {
    store.close();
    rows = rows.reopened();
    return HeapRowStore.open(rows);
  }
}
