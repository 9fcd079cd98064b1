package dev.agentmemory.storage.codec;

import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.Session;

/// A session, and the highest position of its events.
///
/// @param highest the highest position that one of its events has ever had, whether the source or
///   the store assigned it; in rows of formats before 4 the number of events
public record Conversation(Session session, long highest) {

  /// The conversation that begins with this event.
  public static Conversation of(Event event) {
    return new Conversation(Session.of(event), event.position());
  }

  /// The position of the next event that comes without one. After the highest possible position all
  /// events get that position and are ordered by their ids.
  public long next() {
    return Math.min(highest + 1, EventKey.LAST_POSITION);
  }

  /// The conversation with one more event.
  ///
  /// @param key the key of the event, with the position that it has
  public Conversation plus(Event event, EventKey key) {
    return new Conversation(session.plus(event, key), Math.max(highest, key.position()));
  }
}
