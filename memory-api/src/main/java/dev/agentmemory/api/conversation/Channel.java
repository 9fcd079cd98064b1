package dev.agentmemory.api.conversation;

import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.types.MemoryException;
import java.time.Instant;

/// A group of conversations about one topic.
///
/// @param description free text of at most [#MAX_DESCRIPTION] characters; may be empty
/// @param isDefault whether sessions that name no channel belong to it; exactly one channel of a
///   workspace is the default
public record Channel(ChannelName name, String description, boolean isDefault, Instant created) {

  public static final int MAX_DESCRIPTION = 1000;

  /// @throws MemoryException `INVALID_FIELD` naming `description`
  public Channel {
    if (description.length() > MAX_DESCRIPTION) {
      throw MemoryException.invalid(
          "description",
          "has %d characters; expected at most %d".formatted(description.length(), MAX_DESCRIPTION));
    }
  }
}
