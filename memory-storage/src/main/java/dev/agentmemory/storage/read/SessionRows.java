package dev.agentmemory.storage.read;

import dev.agentmemory.storage.codec.Conversation;
import dev.agentmemory.storage.codec.Keys;
import dev.agentmemory.storage.codec.SessionCodec;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.store.SessionReader;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.SessionId;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Reads `conversations` and `sessions`.
public record SessionRows(View view) implements SessionReader {

  @Override
  public Optional<Session> session(SessionId id) {
    return Optional.ofNullable(view.get(Table.CONVERSATIONS, Keys.conversation(id)))
        .map(row -> SessionCodec.decode(row).session());
  }

  @Override
  public List<Session> sessions(Optional<SessionId> after, int limit) {
    byte[] from = after.map(id -> Keys.next(Keys.conversation(id))).orElse(new byte[0]);
    return view.list(
        Table.CONVERSATIONS,
        from,
        // This byte does not occur in UTF-8.
        new byte[] {(byte) 0xFF},
        limit,
        row ->
            view.tolerant(Table.CONVERSATIONS, row.key(), () -> SessionCodec.decode(row.value()))
                .map(Conversation::session));
  }

  @Override
  public List<EventKey> eventsAfter(SessionId session, Optional<EventKey> after, int limit) {
    byte[] prefix = Keys.sessionPrefix(session);
    byte[] from = after.map(key -> Keys.next(Keys.sessionEvent(session, key))).orElse(prefix);
    return view.list(
        Table.SESSIONS,
        from,
        Keys.after(prefix),
        limit,
        row -> Optional.of(Keys.toPlaceAtEnd(row.key())));
  }

  @Override
  public List<EventKey> eventsBefore(SessionId session, EventKey before, int limit) {
    byte[] border = Keys.sessionEvent(session, before);
    return view.listBack(
            Table.SESSIONS,
            Keys.sessionPrefix(session),
            border,
            limit,
            row ->
                Optional.of(row.key())
                    .filter(key -> !Arrays.equals(key, border))
                    .map(Keys::toPlaceAtEnd))
        .reversed();
  }

  /// Builds the row of a session from its events.
  public Optional<Conversation> rebuilt(SessionId id) {
    var keys = new EventKey[2];
    long[] count = new long[1];
    long[] highest = new long[1];
    view.scan(
        Table.SESSIONS,
        Keys.sessionPrefix(id),
        row -> {
          keys[1] = Keys.toPlaceAtEnd(row.key());
          keys[0] = count[0]++ == 0 ? keys[1] : keys[0];
          highest[0] = Math.max(highest[0], keys[1].position());
          return true;
        });
    if (count[0] == 0) {
      return Optional.empty();
    }
    Optional<Event> last = new EventRows(view).events(List.of(keys[1])).stream().findFirst();
    boolean ended = last.map(Event::type).equals(Optional.of(EventType.SESSION_END));
    Optional<String> agent = last.flatMap(Event::agent);
    var session = new Session(id, keys[0], keys[1], count[0], ended, agent);
    return Optional.of(new Conversation(session, Math.max(count[0], highest[0])));
  }
}
