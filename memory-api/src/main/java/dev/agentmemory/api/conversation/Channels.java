package dev.agentmemory.api.conversation;

import dev.agentmemory.api.recall.ChannelName;
import java.util.List;

/// The channels of a workspace. The channel `general` is there from the beginning and is the
/// default until another one is made the default.
///
/// A channel is there as soon as a SESSION_START event or a memory names it; it can be created,
/// described, renamed and made the default then, too.
public interface Channels {

  /// All channels by name, the default one among them; at most 1,000.
  List<Channel> list();

  /// Creates a channel.
  ///
  /// @throws dev.agentmemory.types.MemoryException `INVALID_FIELD` naming `description`; `CONFLICT`
  ///   when one of this name was created before; `QUOTA_EXCEEDED` when there are 1,000
  Channel create(ChannelName name, String description);

  /// Changes a channel. A new name applies to its conversations and memories, too, and to sessions
  /// that still name the old one, until a channel of the old name is created.
  ///
  /// @throws dev.agentmemory.types.MemoryException `NOT_FOUND`; `CONFLICT` when the new name is
  ///   taken; `INVALID_FIELD` naming `description`; `QUOTA_EXCEEDED` when channels were renamed
  ///   1,000 times
  Channel change(ChannelName name, ChannelChange change);

  /// Makes a channel the default one of sessions that start from now on. Those that started before
  /// stay in the former default channel.
  ///
  /// @throws dev.agentmemory.types.MemoryException `NOT_FOUND`
  Channel makeDefault(ChannelName name);
}
