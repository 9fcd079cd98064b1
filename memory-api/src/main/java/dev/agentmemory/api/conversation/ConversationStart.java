package dev.agentmemory.api.conversation;

import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.types.SessionId;
import java.util.Optional;

/// A conversation that is to be active.
///
/// @param channel of a new conversation, which is created with it if need be; empty: the default
///   channel. A conversation that is known stays in its channel
/// @param user whom the agent talks to; empty: not known, or as before
public record ConversationStart(
    SessionId session, Optional<ChannelName> channel, Optional<String> user) {

  public static ConversationStart of(SessionId session) {
    return new ConversationStart(session, Optional.empty(), Optional.empty());
  }

  public ConversationStart withChannel(ChannelName changed) {
    return new ConversationStart(session, Optional.of(changed), user);
  }

  public ConversationStart withUser(String changed) {
    return new ConversationStart(session, channel, Optional.of(changed));
  }
}
