package dev.agentmemory.recall;

import dev.agentmemory.api.recall.ChannelName;
import java.time.Instant;
import java.util.Optional;

/// A name that a channel has or has had.
///
/// @param until when another channel got the name; empty while it leads to this one
public record ChannelAlias(ChannelName name, Optional<Instant> until) {

  /// A name that leads to its channel.
  public static ChannelAlias present(ChannelName name) {
    return new ChannelAlias(name, Optional.empty());
  }

  /// Whether what had this name at a time belonged to the channel.
  public boolean meant(Instant time) {
    return until.map(end -> !time.isAfter(end)).orElse(true);
  }
}
