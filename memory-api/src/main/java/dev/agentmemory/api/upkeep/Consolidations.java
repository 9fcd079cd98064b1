package dev.agentmemory.api.upkeep;

import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;

/// The upkeep of memories and its reversible log.
public interface Consolidations {

  /// Tells what a consolidation would do now. Changes nothing. The job `consolidation` does it.
  ConsolidationCounts preview();

  /// The runs that changed something, the latest first.
  ///
  /// @param page 20 by default, 1,000 at most
  Page<ConsolidationEntry> log(PageRequest page);

  /// Restores the memories as they were before a run, except access counts and what was deleted
  /// since. Undoing it twice changes nothing.
  ///
  /// @throws dev.agentmemory.types.MemoryException `INVALID_FIELD`; `NOT_FOUND` when there is no
  ///   such run
  ConsolidationEntry undo(String id);
}
