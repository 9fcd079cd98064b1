package dev.agentmemory.service;

import dev.agentmemory.store.DaemonReport;

/// Tells how the daemon is doing, as far as one workspace is concerned.
public interface DaemonStatus {

  /// Cheap enough to ask for every second.
  DaemonReport report();
}
