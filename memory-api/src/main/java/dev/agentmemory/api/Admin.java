package dev.agentmemory.api;

import dev.agentmemory.store.Finding;
import dev.agentmemory.store.StoreUsage;
import java.util.List;

/// Reports of the store, and work on all of it.
public interface Admin {

  /// Findings of a check for which no limit is said.
  int FINDINGS_BY_DEFAULT = 100;

  /// The most findings of one check.
  int MOST_FINDINGS = 10_000;

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
  /// @param limit most findings, 1 to [#MOST_FINDINGS], more is taken as that; 0 is
  ///   [#FINDINGS_BY_DEFAULT]
  /// @return empty when all is well
  List<Finding> verify(int limit);

  /// Cuts every session anew from the event log. Returns when segments and grips are written;
  /// rollups follow.
  RebuildReport rebuildToc();
}
