package dev.agentmemory.api.conversation;

import dev.agentmemory.api.recall.ChannelName;
import java.util.Optional;

/// What changes in a channel; what is absent stays.
public record ChannelChange(Optional<ChannelName> newName, Optional<String> description) {

  /// A new name only.
  public static ChannelChange rename(ChannelName newName) {
    return new ChannelChange(Optional.of(newName), Optional.empty());
  }

  /// A new description only.
  public static ChannelChange describe(String description) {
    return new ChannelChange(Optional.empty(), Optional.of(description));
  }
}
