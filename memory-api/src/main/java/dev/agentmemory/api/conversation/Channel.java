package dev.agentmemory.api.conversation;

import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.time.Instant;
import java.util.Optional;

/// A group of conversations about one topic.
///
/// @param description free text of at most [#MAX_DESCRIPTION] characters; may be empty
/// @param isDefault whether sessions that name no channel belong to it; exactly one channel of a
///   workspace is the default
/// @param created of a channel that was not created explicitly: start of its first session
/// @param workspace which one it belongs to, if workspaces share a store and the caller names none;
///   else empty
public record Channel(
    ChannelName name,
    String description,
    boolean isDefault,
    Instant created,
    Optional<WorkspaceName> workspace) {

  public static final int MAX_DESCRIPTION = 1000;

  /// @throws MemoryException `INVALID_FIELD` naming `description`
  public Channel {
    if (description.length() > MAX_DESCRIPTION) {
      throw MemoryException.invalid(
          "description",
          "has %d characters; expected at most %d"
              .formatted(description.length(), MAX_DESCRIPTION));
    }
  }

  /// A channel of the caller's workspace.
  public Channel(ChannelName name, String description, boolean isDefault, Instant created) {
    this(name, description, isDefault, created, Optional.empty());
  }
}
