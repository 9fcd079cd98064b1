package dev.agentmemory.api.conversation;

import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.types.MemoryException;
import java.util.Optional;

/// What changes in the metadata of a conversation; what is absent stays.
///
/// @param user whom the agent talks to; at most [#MAX_USER] printable characters; an empty text
///   removes it
/// @param preferences replace all former ones
/// @param overrides replace all former ones
public record ConversationChange(
    Optional<ChannelName> channel,
    Optional<String> user,
    Optional<SessionPreferences> preferences,
    Optional<SessionOverrides> overrides) {

  /// Most characters of a user.
  public static final int MAX_USER = 256;

  /// @throws MemoryException `INVALID_FIELD` naming `user`
  public ConversationChange {
    user.ifPresent(ConversationChange::checkUser);
  }

  /// Only whom the agent talks to.
  public static ConversationChange ofUser(String user) {
    return new ConversationChange(
        Optional.empty(), Optional.of(user), Optional.empty(), Optional.empty());
  }

  private static void checkUser(String user) {
    if (user.length() > MAX_USER || user.codePoints().anyMatch(Character::isISOControl)) {
      throw MemoryException.invalid(
          "user", "has to be at most %d printable characters".formatted(MAX_USER));
    }
  }
}
