package dev.agentmemory.recall.conversation;

import com.github.f4b6a3.ulid.Ulid;
import dev.agentmemory.api.Ingest;
import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.SessionId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/// Writes the events that start and end a session. Each becomes the latest event of its session,
/// and its id follows from the session before it, so that the same step is the same event.
final class SessionEvents {

  private static final int RANDOM_BYTES = 10;

  private final ConversationContext context;
  private final Ingest ingest;

  SessionEvents(ConversationContext context, Ingest ingest) {
    this.context = context;
    this.ingest = ingest;
  }

  /// @param before the session; empty when it has no event
  /// @param channel that the event names
  void start(SessionId id, Optional<Session> before, Optional<ChannelName> channel) {
    append(
        id,
        before,
        EventType.SESSION_START,
        channel.map(name -> Map.of(StartChannels.METADATA, name.value())).orElse(Map.of()));
  }

  void end(Session before) {
    append(before.id(), Optional.of(before), EventType.SESSION_END, Map.of());
  }

  private void append(
      SessionId id, Optional<Session> before, EventType type, Map<String, String> metadata) {
    Instant now = context.now();
    // An agent's clock may be ahead. At equal times a later position decides.
    Instant time =
        before
            .map(session -> session.last().timestamp())
            .filter(last -> last.isAfter(now))
            .orElse(now);
    long events = before.map(Session::events).orElse(0L);
    var event =
        new Event(
            eventId(time, id, type, events),
            id,
            time,
            type,
            EventRole.SYSTEM,
            "",
            metadata,
            Optional.empty());
    if (ingest.append(event) instanceof Receipt.Conflict conflict) {
      throw new MemoryException(ErrorCode.EVENT_CONFLICT, conflict.problem());
    }
  }

  private static EventId eventId(Instant time, SessionId session, EventType type, long events) {
    String parts = session.value() + '\0' + type + '\0' + events;
    byte[] hash = sha256().digest(parts.getBytes(StandardCharsets.UTF_8));
    byte[] random = Arrays.copyOf(hash, RANDOM_BYTES);
    return new EventId(new Ulid(time.toEpochMilli(), random).toString());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }
}
