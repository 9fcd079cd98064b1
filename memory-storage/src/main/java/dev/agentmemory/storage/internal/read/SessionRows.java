package dev.agentmemory.storage.internal.read;

import dev.agentmemory.storage.internal.codec.Conversation;
import dev.agentmemory.storage.internal.codec.Keys;
import dev.agentmemory.storage.internal.codec.SessionCodec;
import dev.agentmemory.storage.internal.rocksdb.Family;
import dev.agentmemory.store.SessionReader;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.SessionId;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Reads `conversations` and `sessions`.
public record SessionRows(View view) implements SessionReader {

  @Override
  public Optional<Session> session(SessionId id) {
    return Optional.ofNullable(view.get(Family.CONVERSATIONS, Keys.conversation(id)))
        .map(row -> SessionCodec.decode(row).session());
  }

  @Override
  public List<Session> sessions(Optional<SessionId> after, int limit) {
    byte[] from = after.map(id -> Keys.next(Keys.conversation(id))).orElse(new byte[0]);
    return view.list(
        Family.CONVERSATIONS,
        from,
        // This byte does not occur in UTF-8.
        new byte[] {(byte) 0xFF},
        limit,
        row ->
            view.tolerant(Family.CONVERSATIONS, row.key(), () -> SessionCodec.decode(row.value()))
                .map(Conversation::session));
  }

  @Override
  public List<EventKey> eventsAfter(SessionId session, Optional<EventKey> after, int limit) {
    byte[] prefix = Keys.sessionPrefix(session);
    byte[] from = after.map(key -> Keys.next(Keys.sessionEvent(session, key))).orElse(prefix);
    return view.list(
        Family.SESSIONS,
        from,
        Keys.after(prefix),
        limit,
        row -> Optional.of(Keys.toPlaceAtEnd(row.key())));
  }

  @Override
  public List<EventKey> eventsBefore(SessionId session, EventKey before, int limit) {
    byte[] border = Keys.sessionEvent(session, before);
    return view.listBack(
            Family.SESSIONS,
            Keys.sessionPrefix(session),
            border,
            limit,
            row ->
                Optional.of(row.key())
                    .filter(key -> !Arrays.equals(key, border))
                    .map(Keys::toPlaceAtEnd))
        .reversed();
  }
}
