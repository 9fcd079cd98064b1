package dev.agentmemory.api.conversation;

import dev.agentmemory.types.SessionId;

/// Names a conversation.
public sealed interface ConversationRef {

  record OfSession(SessionId session) implements ConversationRef {}

  record OfCode(RefCode code) implements ConversationRef {}

  static ConversationRef of(SessionId session) {
    return new OfSession(session);
  }

  static ConversationRef of(RefCode code) {
    return new OfCode(code);
  }
}
