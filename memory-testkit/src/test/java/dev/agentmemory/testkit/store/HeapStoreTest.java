package dev.agentmemory.testkit.store;

import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.testkit.contract.EveryStoreContract;
import java.time.ZoneOffset;

class HeapStoreTest extends EveryStoreContract {

  @Override
  protected MemoryStore fresh() {
    return new HeapStore(ZoneOffset.UTC);
  }
}
