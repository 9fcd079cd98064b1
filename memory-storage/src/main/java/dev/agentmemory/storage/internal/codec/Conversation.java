package dev.agentmemory.storage.internal.codec;

import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.Session;

/// A session, and how far its events have been counted.
///
/// @param highest the highest position that an event of it has ever had, given by its source or by
///   the store; in rows of formats before 4 the number of events
public record Conversation(Session session, long highest) {

  /// The conversation that begins with this event.
  public static Conversation of(Event event) {
    return new Conversation(Session.of(event), event.position());
  }

  /// The position of the next event that comes without one. Behind the last possible one all have
  /// the same, and their ids order them.
  public long next() {
    return Math.min(highest + 1, EventKey.LAST_POSITION);
  }

  /// The conversation with one more event.
  ///
  /// @param key its place, with the position that it has
  public Conversation plus(Event event, EventKey key) {
    return new Conversation(session.plus(event, key), Math.max(highest, key.position()));
  }
}
