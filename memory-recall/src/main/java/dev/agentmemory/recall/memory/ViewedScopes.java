package dev.agentmemory.recall.memory;

import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.api.recall.MemorySearch.Viewer;
import dev.agentmemory.recall.SessionChannels;
import dev.agentmemory.recall.internal.table.MemoryEntry;
import dev.agentmemory.types.SessionId;
import java.util.Optional;
import java.util.function.Predicate;

/// Which memories a caller sees: those of its conversation, of its channel, of the workspace and of
/// the account.
///
/// @param session empty: the memories of no conversation
public record ViewedScopes(Optional<SessionId> session, ChannelName channel)
    implements Predicate<MemoryEntry> {

  /// The scopes of a viewer who names no channel: that of its session, else the default one.
  public static ViewedScopes of(Viewer viewer, SessionChannels channels) {
    return new ViewedScopes(
        viewer.session(),
        viewer
            .channel()
            .or(() -> viewer.session().flatMap(channels::channel))
            .orElseGet(channels::defaultChannel));
  }

  @Override
  public boolean test(MemoryEntry entry) {
    return switch (entry.scope()) {
      case CONVERSATION -> session.isPresent() && session.equals(entry.place().session());
      case CHANNEL -> entry.place().channel().filter(channel::equals).isPresent();
      case WORKSPACE, ACCOUNT -> true;
    };
  }
}
