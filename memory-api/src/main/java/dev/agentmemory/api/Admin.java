package dev.agentmemory.api;

import dev.agentmemory.store.Finding;
import dev.agentmemory.store.StoreUsage;
import java.util.List;

/// Reports of the store, and work on all of it.
public interface Admin {

  /// How the memory is doing; cheap enough to ask for every second.
  DaemonReport status();

  /// What the store holds; may take a while.
  StoreUsage usage();

  /// What models were asked and what it cost.
  ///
  /// @param days today included, 1 to [ModelUsage#MOST_DAYS]; 0 is 30
  /// @throws dev.agentmemory.types.MemoryException `INVALID_FIELD` when it is out of range
  ModelUsage modelUsage(int days);

  /// Checks every promise of the store; may take long.
  ///
  /// @param limit most findings, 1 to 10,000; 0 is 100
  /// @return empty when all is well
  List<Finding> verify(int limit);

  /// Cuts every session anew from the event log. Returns when segments and grips are written;
  /// rollups follow.
  RebuildReport rebuildToc();
}
