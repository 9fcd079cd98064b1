package dev.agentmemory.service;

import dev.agentmemory.store.RebuildReport;

/// Cuts every session anew from the event log.
public interface RebuildToc {

  /// Returns when segments and grips are done; rollups follow.
  RebuildReport rebuild();
}
