package dev.agentmemory.api;

import dev.agentmemory.api.contents.Contents;

/// The operations of one workspace.
///
/// All methods may be called from any thread. All fail with
/// [dev.agentmemory.types.MemoryException]: `INVALID_FIELD` names the field and the remedy,
/// `CLOSED` means that the memory is being closed, `UNREACHABLE` that a daemon does not answer.
///
/// A list omits unreadable rows; they are added to the [dev.agentmemory.store.PassedOver] of the
/// call.
public interface Memory {

  /// Stores events.
  Ingest ingest();

  /// Reads events.
  EventLog events();

  /// Reads the table of contents and its evidence.
  Contents contents();

  /// Finds events, segments and summaries.
  Search search();

  /// Reads sessions and their segments.
  Sessions sessions();

  /// Keeps and finds curated memories, their channels and conversations.
  Recall recall();

  /// Shows and controls background jobs.
  Jobs jobs();

  /// Reports of the store, and work on all of it.
  Admin admin();
}
