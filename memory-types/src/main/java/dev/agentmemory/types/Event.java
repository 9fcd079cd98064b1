package dev.agentmemory.types;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/// One turn of a conversation, a tool's result or a session's border. Never changed once stored.
///
/// @param timestamp when it happened, in whole milliseconds; order and ranges go by it, never by
///   arrival
/// @param text what was said; may be empty for all types but user and assistant messages
/// @param metadata free key-value pairs of the adapter, such as `tool`, `cwd` or `speaker`
/// @param agent which agent sent it, when the adapter says so
/// @param position where it stands among the events of its session that have the same timestamp,
///   such as a line number or a sequence number of its source: 1 to [EventKey#LAST_POSITION]; 0
///   when the source gives none, then the store gives it one. Rows of formats before 4 keep 0
public record Event(
    EventId id,
    SessionId session,
    Instant timestamp,
    EventType type,
    EventRole role,
    String text,
    Map<String, String> metadata,
    Optional<String> agent,
    long position) {

  public Event {
    timestamp = Instant.ofEpochMilli(timestamp.toEpochMilli());
    metadata = Map.copyOf(metadata);
    EventKey.checkPosition(position);
  }

  /// An event whose source gives no position.
  public Event(
      EventId id,
      SessionId session,
      Instant timestamp,
      EventType type,
      EventRole role,
      String text,
      Map<String, String> metadata,
      Optional<String> agent) {
    this(id, session, timestamp, type, role, text, metadata, agent, 0);
  }

  /// What it weighs in memory, near enough: the UTF-16 units of its text and metadata.
  public long chars() {
    long chars = text.length();
    for (Map.Entry<String, String> entry : metadata.entrySet()) {
      chars += entry.getKey().length() + entry.getValue().length();
    }
    return chars;
  }

  /// The event without a workspace's name.
  public Event plain() {
    return with(id.plain(), session.plain());
  }

  /// The event with other words; what it is and when it happened stays.
  public Event withContent(String changedText, Map<String, String> changedMetadata) {
    return new Event(
        id, session, timestamp, type, role, changedText, changedMetadata, agent, position);
  }

  /// The event at another position, 0 to [EventKey#LAST_POSITION].
  public Event withPosition(long changed) {
    return changed == position
        ? this
        : new Event(id, session, timestamp, type, role, text, metadata, agent, changed);
  }

  /// The event in another session.
  public Event withSession(SessionId changed) {
    return changed.equals(session) ? this : with(id, changed);
  }

  /// The event of an agent with another name.
  public Event withAgent(Optional<String> changed) {
    return new Event(id, session, timestamp, type, role, text, metadata, changed, position);
  }

  /// The event in a store that workspaces share.
  public Event in(WorkspaceName workspace) {
    return with(id.in(workspace), session.in(workspace));
  }

  private Event with(EventId changedId, SessionId changedSession) {
    return new Event(
        changedId, changedSession, timestamp, type, role, text, metadata, agent, position);
  }

  /// Where the event stands in time.
  public EventKey key() {
    return new EventKey(timestamp, position, id);
  }
}
