package dev.agentmemory.recall;

import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.types.SessionId;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/// Which channel a session belongs to.
public interface SessionChannels {

  /// There is one channel, `general`, without known sessions.
  SessionChannels NONE =
      new SessionChannels() {
        @Override
        public Optional<ChannelName> channel(SessionId session) {
          return Optional.empty();
        }

        @Override
        public ChannelName defaultChannel() {
          return new ChannelName("general");
        }
      };

  /// The channel of a session; empty when the session is not known.
  Optional<ChannelName> channel(SessionId session);

  /// The channel of what names none.
  ChannelName defaultChannel();

  /// Tells which channels there are, so that a memory can name them. Any may be named unless there
  /// is a list of channels. For one call and one thread: what has to be read for it is read once.
  default Predicate<ChannelName> existing() {
    return _ -> true;
  }

  /// The present name of a channel, which may have been renamed.
  default ChannelName presentName(ChannelName channel) {
    return channel;
  }

  /// All names that a channel has had, and the present one.
  default Set<ChannelAlias> allNames(ChannelName channel) {
    return Set.of(ChannelAlias.present(channel));
  }
}
