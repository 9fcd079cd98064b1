package dev.agentmemory.storage.internal.read;

import dev.agentmemory.storage.internal.codec.Conversation;
import dev.agentmemory.storage.internal.codec.Keys;
import dev.agentmemory.storage.internal.codec.SessionCodec;
import dev.agentmemory.storage.internal.rocksdb.Family;
import dev.agentmemory.store.SessionReader;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.SessionId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Reads `conversations` and `sessions`.
public final class SessionRows implements SessionReader {

  private final View view;

  public SessionRows(View view) {
    this.view = view;
  }

  @Override
  public Optional<Session> session(SessionId id) {
    return Optional.ofNullable(view.get(Family.CONVERSATIONS, Keys.conversation(id)))
        .map(row -> SessionCodec.decode(row).session());
  }

  @Override
  public List<Session> sessions(Optional<SessionId> after, int limit) {
    View.checkLimit(limit);
    byte[] from = after.map(id -> Keys.next(Keys.conversation(id))).orElse(new byte[0]);
    var found = new ArrayList<Session>();
    view.scan(
        Family.CONVERSATIONS,
        from,
        // This byte does not occur in UTF-8.
        new byte[] {(byte) 0xFF},
        row -> {
          view.tolerant(Family.CONVERSATIONS, row.key(), () -> SessionCodec.decode(row.value()))
              .map(Conversation::session)
              .ifPresent(found::add);
          return found.size() < limit;
        });
    return List.copyOf(found);
  }

  @Override
  public List<EventKey> eventsAfter(SessionId session, Optional<EventKey> after, int limit) {
    View.checkLimit(limit);
    byte[] prefix = Keys.sessionPrefix(session);
    byte[] from = after.map(key -> Keys.next(Keys.sessionEvent(session, key))).orElse(prefix);
    var found = new ArrayList<EventKey>();
    view.scan(
        Family.SESSIONS,
        from,
        Keys.after(prefix),
        row -> {
          found.add(Keys.toPlaceAtEnd(row.key()));
          return found.size() < limit;
        });
    return List.copyOf(found);
  }

  @Override
  public List<EventKey> eventsBefore(SessionId session, EventKey before, int limit) {
    View.checkLimit(limit);
    byte[] border = Keys.sessionEvent(session, before);
    var found = new ArrayList<EventKey>();
    view.scanBack(
        Family.SESSIONS,
        Keys.sessionPrefix(session),
        border,
        row -> {
          byte[] key = row.key();
          if (!Arrays.equals(key, border)) {
            found.add(Keys.toPlaceAtEnd(key));
          }
          return found.size() < limit;
        });
    return List.copyOf(found.reversed());
  }
}
