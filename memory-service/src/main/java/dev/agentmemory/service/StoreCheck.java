package dev.agentmemory.service;

import dev.agentmemory.store.Finding;
import java.util.List;

/// Checks what the store promises; see [dev.agentmemory.store.MemoryStore#verify].
public interface StoreCheck {

  /// @return empty when all is well
  List<Finding> verify(int limit);
}
