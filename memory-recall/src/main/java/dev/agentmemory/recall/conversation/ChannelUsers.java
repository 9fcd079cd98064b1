package dev.agentmemory.recall.conversation;

import dev.agentmemory.api.recall.ChannelName;
import java.time.Instant;
import java.util.Map;

/// The memories of a workspace, as far as they belong to channels.
public interface ChannelUsers {

  /// The channels that memories name, with the time of the earliest memory of each.
  Map<ChannelName, Instant> channels();

  /// Moves all memories of a channel to another one. It is called under the workspace's mutex,
  /// after the channel was renamed. It may be several commits: if the process ends before it
  /// returns, it is called again, so it must do nothing for memories that were moved before.
  void rename(ChannelName from, ChannelName to);
}
