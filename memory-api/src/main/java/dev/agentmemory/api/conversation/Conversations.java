package dev.agentmemory.api.conversation;

import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;

/// The conversations of a workspace: sessions with a state and metadata.
public interface Conversations {

  /// Starts a conversation: stores a SESSION_START event unless it is active already.
  ///
  /// @throws dev.agentmemory.types.MemoryException `INVALID_FIELD`
  ConversationView start(ConversationStart start);

  /// Makes an active conversation idle: stores a SESSION_END event. An idle one stays as it is.
  ///
  /// @throws dev.agentmemory.types.MemoryException `NOT_FOUND`; `ILLEGAL_TRANSITION` when it is
  ///   archived
  ConversationView idle(ConversationRef conversation);

  /// Archives an idle conversation.
  ///
  /// @param force archives an active one, too, which becomes idle first
  /// @throws dev.agentmemory.types.MemoryException `NOT_FOUND`; `ILLEGAL_TRANSITION` when it is
  ///   archived already, or active without `force`
  ConversationView archive(ConversationRef conversation, boolean force);

  /// @throws dev.agentmemory.types.MemoryException `NOT_FOUND`
  ConversationView conversation(ConversationRef conversation);

  /// Conversations by session id.
  ///
  /// @param page 20 by default, 1,000 at most
  /// @throws dev.agentmemory.types.MemoryException `INVALID_TOKEN` when the token is not of a list
  ///   with the same filter
  Page<ConversationView> list(ConversationFilter filter, PageRequest page);

  /// Changes metadata; secrets in it are masked.
  ///
  /// @throws dev.agentmemory.types.MemoryException `NOT_FOUND`, also of the channel
  ConversationView change(ConversationRef conversation, ConversationChange change);

  /// @throws dev.agentmemory.types.MemoryException `NOT_FOUND`
  ConversationStats stats(ConversationRef conversation);

  /// Drops the memories of a session whose relevance is below the threshold. Pinned ones,
  /// preferences and long-term ones stay.
  ///
  /// @throws dev.agentmemory.types.MemoryException `NOT_FOUND`
  CompactionReport compact(ConversationRef conversation);

  /// The working values of conversations.
  Scratchpads scratchpads();
}
