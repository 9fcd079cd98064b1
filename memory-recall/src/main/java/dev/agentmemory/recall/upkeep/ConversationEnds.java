package dev.agentmemory.recall.upkeep;

import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Tells when the memories of scope conversation end, such as
/// [dev.agentmemory.recall.conversation.ConversationIndex].
public interface ConversationEnds {

  /// No conversation ends.
  ConversationEnds NEVER = (_, _) -> Optional.empty();

  /// @param lastUse when a memory of the session was made or read last, for a session without
  ///   events
  /// @return empty while the conversation is active
  Optional<Instant> memoriesEnd(SessionId session, Instant lastUse);

  /// The sessions with events for which that time has come, whether or not they have memories, by
  /// id.
  ///
  /// @param after continue after this session; empty to start
  default List<SessionId> due(Optional<SessionId> after, int limit) {
    return List.of();
  }
}
