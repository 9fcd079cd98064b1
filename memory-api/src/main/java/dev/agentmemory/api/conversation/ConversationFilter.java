package dev.agentmemory.api.conversation;

import dev.agentmemory.api.recall.ChannelName;
import java.util.Optional;

/// Which conversations are listed.
///
/// @param channel empty: of any
/// @param archived whether archived ones are included
public record ConversationFilter(Optional<ChannelName> channel, boolean archived) {

  /// Those of any channel that are not archived.
  public static final ConversationFilter CURRENT = new ConversationFilter(Optional.empty(), false);

  /// Those of any channel, also archived ones.
  public static final ConversationFilter ALL = new ConversationFilter(Optional.empty(), true);

  public ConversationFilter withChannel(ChannelName changed) {
    return new ConversationFilter(Optional.of(changed), archived);
  }
}
