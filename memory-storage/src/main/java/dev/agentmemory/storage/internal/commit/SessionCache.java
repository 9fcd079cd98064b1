package dev.agentmemory.storage.internal.commit;

import dev.agentmemory.storage.codec.Conversation;
import dev.agentmemory.storage.codec.Keys;
import dev.agentmemory.storage.codec.SessionCodec;
import dev.agentmemory.storage.read.EventRows;
import dev.agentmemory.storage.read.SessionRows;
import dev.agentmemory.storage.read.View;
import dev.agentmemory.storage.rows.RowBatch;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.SessionId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Caches sessions for the thread that writes. A session with many events in a group is written
/// once.
final class SessionCache {

  private static final int BOUND = 4096;

  private final View view;
  private final Recent<SessionId, Optional<Conversation>> recent = new Recent<>(BOUND);
  private final Set<SessionId> touched = new HashSet<>();

  /// Events that were erased since the last [#writeTo].
  private final Map<SessionId, Set<EventKey>> erased = new HashMap<>();

  SessionCache(View view) {
    this.view = view;
  }

  /// Adds an event to its session.
  ///
  /// @param key its key, with the position that it came with
  /// @return its key, with that position or the session's next one
  EventKey add(Event event, EventKey key) {
    SessionId id = event.session();
    Optional<Conversation> before = recent.get(id, this::load);
    EventKey placed =
        key.position() > 0 ? key : key.withPosition(before.map(Conversation::next).orElse(1L));
    Conversation changed =
        before
            .map(known -> known.plus(event, placed))
            .orElseGet(() -> Conversation.of(event.withPosition(placed.position())));
    recent.put(id, Optional.of(changed));
    touched.add(id);
    return placed;
  }

  /// Notes that an event of a session is erased. All events of the session are in the store, those
  /// included that were erased since the last [#writeTo].
  ///
  /// @param key with the position that it has
  /// @return false when it was erased already
  boolean erase(SessionId id, EventKey key) {
    return erased.computeIfAbsent(id, _ -> new HashSet<>()).add(key);
  }

  /// The session without erased events; empty when none is left.
  private Optional<Conversation> without(SessionId id, Set<EventKey> gone) {
    Optional<Conversation> before = recent.get(id, this::load);
    if (before.isEmpty() || before.get().session().events() <= gone.size()) {
      return Optional.empty();
    }
    Session session = before.get().session();
    EventKey first = gone.contains(session.first()) ? next(session, gone) : session.first();
    if (!gone.contains(session.last())) {
      var left =
          new Session(
              id,
              first,
              session.last(),
              session.events() - gone.size(),
              session.ended(),
              session.agent());
      return Optional.of(new Conversation(left, before.get().highest()));
    }
    EventKey last = previous(session, gone);
    Optional<Event> event = new EventRows(view).events(List.of(last)).stream().findFirst();
    var left =
        new Session(
            id,
            first,
            last,
            session.events() - gone.size(),
            event.filter(one -> one.type() == EventType.SESSION_END).isPresent(),
            event.flatMap(Event::agent).or(session::agent));
    return Optional.of(new Conversation(left, before.get().highest()));
  }

  /// The first event that is left.
  private EventKey next(Session session, Set<EventKey> gone) {
    var found = new EventKey[] {session.last()};
    view.scan(
        Table.SESSIONS,
        Keys.sessionEvent(session.id(), session.first()),
        Keys.after(Keys.sessionPrefix(session.id())),
        row -> {
          found[0] = Keys.toPlaceAtEnd(row.key());
          return gone.contains(found[0]);
        });
    return found[0];
  }

  /// The last event that is left.
  private EventKey previous(Session session, Set<EventKey> gone) {
    var found = new EventKey[] {session.first()};
    view.scanBack(
        Table.SESSIONS,
        Keys.sessionPrefix(session.id()),
        Keys.sessionEvent(session.id(), session.last()),
        row -> {
          found[0] = Keys.toPlaceAtEnd(row.key());
          return gone.contains(found[0]);
        });
    return found[0];
  }

  /// Replaces the agent of the session if it is that of an event whose agent was masked.
  void mask(Event event, Optional<String> agent) {
    SessionId id = event.session();
    Optional<Conversation> before = recent.get(id, this::load);
    if (agent.equals(event.agent())
        || before.isEmpty()
        || !before.get().session().agent().equals(event.agent())) {
      return;
    }
    Session session = before.get().session().withAgent(agent);
    recent.put(id, Optional.of(new Conversation(session, before.get().highest())));
    touched.add(id);
  }

  /// Adds one row for each session that changed since the last time.
  void writeTo(RowBatch batch) {
    erased.forEach((id, gone) -> {
      Optional<Conversation> left = without(id, gone);
      recent.put(id, left);
      left.ifPresentOrElse(
          _ -> touched.add(id), () -> batch.delete(Table.CONVERSATIONS, Keys.conversation(id)));
    });
    erased.clear();
    for (SessionId id : touched) {
      Conversation conversation = recent.get(id, this::load).orElseThrow();
      batch.put(Table.CONVERSATIONS, Keys.conversation(id), SessionCodec.encode(conversation));
    }
    touched.clear();
  }

  void trim() {
    recent.trim();
  }

  private Optional<Conversation> load(SessionId id) {
    byte[] key = Keys.conversation(id);
    return view.tolerant(
            Table.CONVERSATIONS,
            key,
            () -> Optional.ofNullable(view.get(Table.CONVERSATIONS, key)).map(SessionCodec::decode))
        // A damaged row must not stop writing.
        .orElseGet(() -> new SessionRows(view).rebuilt(id));
  }
}
