package dev.agentmemory.recall.conversation;

import dev.agentmemory.api.conversation.CompactionReport;
import dev.agentmemory.types.SessionId;

/// Compacts the memories of a session.
public interface SessionCompactor {

  /// Drops memories of low relevance. Called with nothing locked.
  CompactionReport compact(SessionId session);
}
