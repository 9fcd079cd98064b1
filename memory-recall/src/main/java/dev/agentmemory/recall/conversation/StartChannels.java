package dev.agentmemory.recall.conversation;

import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.Session;
import java.util.List;
import java.util.Optional;

/// Finds the channel that the SESSION_START event of a session names.
final class StartChannels {

  /// The key of the metadata.
  static final String METADATA = "channel";

  /// A SESSION_START is the first event of its session, or a late one among the first.
  private static final int FIRST_EVENTS = 8;

  /// No more events than that are in memory at once.
  private static final int MOST_CHARS = 1 << 20;

  private final ConversationContext context;

  StartChannels(ConversationContext context) {
    this.context = context;
  }

  /// What was found, and what shows that it still holds.
  ///
  /// @param events how many events the session had; 0 when they do not matter, because its first
  ///   event is a SESSION_START
  record Start(EventKey first, long events, Optional<ChannelName> channel) {

    private boolean holds(Session session) {
      return first.equals(session.first()) && (events == 0 || events == session.events());
    }
  }

  /// @param key of the conversation's record
  /// @return empty when it names none, or something that is no name of a channel
  Optional<ChannelName> named(String key, Session session) {
    return context
        .caches()
        .starts
        .find(key)
        .filter(known -> known.holds(session))
        .orElseGet(() -> readAgain(key, session))
        .channel();
  }

  private Start readAgain(String key, Session session) {
    Start start = read(session);
    context.caches().starts.put(key, start);
    return start;
  }

  private Start read(Session session) {
    Optional<Event> start = start(session);
    boolean isFirst = start.filter(event -> event.key().equals(session.first())).isPresent();
    return new Start(
        session.first(),
        isFirst ? 0 : session.events(),
        start.map(event -> event.metadata().getOrDefault(METADATA, "")).flatMap(ChannelName::of));
  }

  private Optional<Event> start(Session session) {
    List<EventKey> keys =
        context.sessions().eventsAfter(session.id(), Optional.empty(), FIRST_EVENTS);
    while (!keys.isEmpty()) {
      var slice = context.reader().events().events(keys, MOST_CHARS);
      Optional<Event> found =
          slice.events().stream()
              .filter(event -> event.type() == EventType.SESSION_START)
              .findFirst();
      if (found.isPresent() || slice.keys() == 0) {
        return found;
      }
      keys = keys.subList(slice.keys(), keys.size());
    }
    return Optional.empty();
  }
}
