package dev.agentmemory.api.recall;

import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import java.util.Optional;

/// Where a memory applies and where it was made.
///
/// @param channel of a memory with [MemoryScope#CHANNEL], required there; else the channel of the
///   session that it comes from, if known
/// @param session of a memory with [MemoryScope#CONVERSATION], required there; else the session
///   that it comes from, if any. It does not limit where the memory applies
public record MemoryPlace(
    MemoryScope scope, Optional<ChannelName> channel, Optional<SessionId> session) {

  /// A memory of the whole workspace that comes from no session.
  public static final MemoryPlace WORKSPACE =
      new MemoryPlace(MemoryScope.WORKSPACE, Optional.empty(), Optional.empty());

  /// @throws MemoryException `INVALID_FIELD` naming `session` or `channel` when the scope needs one
  ///   that is absent, or when the scope is the account and there is one
  public MemoryPlace {
    if (scope == MemoryScope.CONVERSATION && session.isEmpty()) {
      throw MemoryException.invalid(
          "session", "is missing; a memory of scope conversation needs its session");
    }
    if (scope == MemoryScope.CHANNEL && channel.isEmpty()) {
      throw MemoryException.invalid(
          "channel", "is missing; a memory of scope channel needs its channel");
    }
    if (scope == MemoryScope.ACCOUNT) {
      refuse("session", session);
      refuse("channel", channel);
    }
  }

  private static void refuse(String field, Optional<?> value) {
    if (value.isPresent()) {
      throw MemoryException.invalid(
          field, "is not possible with scope account, which holds nothing of a workspace; omit it");
    }
  }

  public static MemoryPlace conversation(SessionId session) {
    return new MemoryPlace(MemoryScope.CONVERSATION, Optional.empty(), Optional.of(session));
  }

  public static MemoryPlace channel(ChannelName channel) {
    return new MemoryPlace(MemoryScope.CHANNEL, Optional.of(channel), Optional.empty());
  }

  public static MemoryPlace account() {
    return new MemoryPlace(MemoryScope.ACCOUNT, Optional.empty(), Optional.empty());
  }

  /// The same with the session that the memory comes from.
  public MemoryPlace from(SessionId origin) {
    return new MemoryPlace(scope, channel, Optional.of(origin));
  }

  /// The same in another channel.
  public MemoryPlace moved(ChannelName changed) {
    return new MemoryPlace(scope, Optional.of(changed), session);
  }
}
