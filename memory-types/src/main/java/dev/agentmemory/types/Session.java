package dev.agentmemory.types;

import java.util.Optional;

/// What is known of a session (a conversation) as a whole, derived from its events.
///
/// @param first its earliest event
/// @param last its latest event
/// @param events how many events it has
/// @param ended whether its latest event is a SESSION_END; a later event opens it again
/// @param agent an agent that one of its events names
public record Session(
    SessionId id,
    EventKey first,
    EventKey last,
    long events,
    boolean ended,
    Optional<String> agent) {

  public Session {
    if (last.compareTo(first) < 0) {
      throw new IllegalArgumentException("last event before the first");
    }
    if (events < 1) {
      throw new IllegalArgumentException("a session has at least one event, found " + events);
    }
  }

  /// The session without a workspace's name.
  public Session plain() {
    return new Session(id.plain(), first.plain(), last.plain(), events, ended, agent);
  }

  /// The session with an agent of another name.
  public Session withAgent(Optional<String> changed) {
    return new Session(id, first, last, events, ended, changed);
  }

  /// A session that consists of this one event.
  public static Session of(Event event) {
    return new Session(
        event.session(),
        event.key(),
        event.key(),
        1,
        event.type() == EventType.SESSION_END,
        event.agent());
  }

  /// The session with one more event, whatever its place in time.
  public Session plus(Event event) {
    return plus(event, event.key());
  }

  /// The same for an event whose position is not the one that it came with.
  ///
  /// @param key its timestamp and id, and the position that it has
  public Session plus(Event event, EventKey key) {
    boolean latest = key.compareTo(last) > 0;
    return new Session(
        id,
        key.compareTo(first) < 0 ? key : first,
        latest ? key : last,
        events + 1,
        latest ? event.type() == EventType.SESSION_END : ended,
        latest ? event.agent().or(() -> agent) : agent.or(event::agent));
  }
}
