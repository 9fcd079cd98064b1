package dev.agentmemory.recall.conversation;

import dev.agentmemory.api.conversation.ConversationStatus;
import dev.agentmemory.types.Session;
import java.time.Instant;
import java.util.Optional;

/// A conversation at the time of a call.
///
/// @param ended when it became idle; empty while it is active
record ConversationState(
    Session session, ConversationRow row, ConversationStatus status, Optional<Instant> ended) {}
