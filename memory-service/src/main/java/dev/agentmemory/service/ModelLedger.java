package dev.agentmemory.service;

import dev.agentmemory.store.ModelUsage;

/// Tells what models were asked and what it cost.
public interface ModelLedger {

  /// @param days today included, 1 to [ModelUsage#MOST_DAYS]
  ModelUsage usage(int days);
}
