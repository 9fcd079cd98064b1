package dev.agentmemory.api.upkeep;

import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;

/// The upkeep of memories and its reversible log.
public interface Consolidations {

  /// Tells what a consolidation would do now, except for what it would first extract from
  /// conversations that are over. Changes nothing. The job `consolidation` does it.
  ConsolidationPreview preview();

  /// The runs that changed something, the latest first.
  ///
  /// @param page 20 by default, 1,000 at most
  Page<ConsolidationEntry> log(PageRequest page);

  /// Restores the memories as they were before a run, except access counts and what was deleted
  /// since. Of a memory that was changed since, only those fields are restored that still have the
  /// run's values. Undoing it twice changes nothing.
  ///
  /// @throws dev.agentmemory.types.MemoryException `INVALID_FIELD`; `NOT_FOUND` when there is no
  ///   such run, or it is no longer kept; `CONFLICT` when a later run has changed the same memories
  ///   and has to be undone first
  ConsolidationEntry undo(String id);
}
