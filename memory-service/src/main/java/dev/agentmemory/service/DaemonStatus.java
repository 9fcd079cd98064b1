package dev.agentmemory.service;

import dev.agentmemory.store.DaemonReport;

/// Tells how the daemon is doing.
public interface DaemonStatus {

  /// Cheap enough to ask for every second.
  DaemonReport report();
}
