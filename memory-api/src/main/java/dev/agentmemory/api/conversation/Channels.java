package dev.agentmemory.api.conversation;

import dev.agentmemory.api.recall.ChannelName;
import java.util.List;
import java.util.Optional;

/// The channels of a workspace.
public interface Channels {

  /// All channels by name, the default one among them; at most 1,000.
  List<Channel> list();

  /// Creates a channel.
  ///
  /// @throws dev.agentmemory.types.MemoryException `CONFLICT` when there is one of this name
  Channel create(ChannelName name, String description);

  /// Changes a channel. A new name applies to its conversations and memories, too.
  ///
  /// @throws dev.agentmemory.types.MemoryException `NOT_FOUND`; `CONFLICT` when the new name is
  ///   taken
  Channel change(ChannelName name, Optional<ChannelName> newName, Optional<String> description);

  /// Makes a channel the default one.
  ///
  /// @throws dev.agentmemory.types.MemoryException `NOT_FOUND`
  Channel makeDefault(ChannelName name);
}
