package dev.agentmemory.agents.internal;

import dev.agentmemory.agents.event.AgentMetadata;
import dev.agentmemory.agents.event.Origin;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.SessionId;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Makes the events of turns. Each is within the limits of the ingest.
public final class TurnEvents {

  /// Longest text of an event, in bytes of UTF-8.
  public static final int MOST_TEXT_BYTES = 1 << 20;

  /// What is kept of the beginning and of the end of a longer text.
  private static final int HEAD_BYTES = 640 << 10;

  private static final int TAIL_BYTES = 320 << 10;

  private static final int MOST_ENTRIES = 60;
  private static final int MOST_KEY_BYTES = 128;

  private TurnEvents() {}

  /// A prompt. Only a person's words are a user's; all others are the system's.
  ///
  /// @param text without what was injected; an empty one gives no event
  public static Optional<Event> prompt(TurnContext turn, EventId id, String text, Origin origin) {
    EventRole role = origin == Origin.PERSON ? EventRole.USER : EventRole.SYSTEM;
    return said(
        turn, id, EventType.USER_MESSAGE, role, text, Map.of(AgentMetadata.ORIGIN, origin.word()));
  }

  /// A text of the assistant.
  public static Optional<Event> answer(TurnContext turn, EventId id, String text) {
    return said(turn, id, EventType.ASSISTANT_MESSAGE, EventRole.ASSISTANT, text, Map.of());
  }

  /// The summary that an agent puts in place of a conversation.
  public static Optional<Event> compaction(TurnContext turn, EventId id, String text) {
    return said(
        turn,
        id,
        EventType.USER_MESSAGE,
        EventRole.SYSTEM,
        text,
        Map.of(AgentMetadata.KIND, "compaction", AgentMetadata.ORIGIN, Origin.PROGRAM.word()));
  }

  private static Optional<Event> said(
      TurnContext turn,
      EventId id,
      EventType type,
      EventRole role,
      String text,
      Map<String, String> metadata) {
    return text.isBlank()
        ? Optional.empty()
        : Optional.of(event(turn, id, type, role, text, metadata));
  }

  /// A call of a tool with its result.
  public static Event tool(TurnContext turn, EventId id, ToolTurn tool) {
    return event(turn, id, EventType.TOOL_RESULT, EventRole.TOOL, tool.result(), tool.metadata());
  }

  /// The border of a session, or of a subagent's in its parent.
  public static Event border(
      TurnContext turn, EventId id, EventType type, Map<String, String> metadata) {
    return event(turn, id, type, EventRole.SYSTEM, "", metadata);
  }

  /// The start of a session that was begun from another one.
  public static Event childStart(TurnContext turn, TurnIds ids, SessionId parent) {
    return border(
        turn,
        ids.start(turn.session(), ""),
        EventType.SESSION_START,
        Map.of(AgentMetadata.PARENT, parent.value(), AgentMetadata.REASON, "subagent"));
  }

  private static Event event(
      TurnContext turn,
      EventId id,
      EventType type,
      EventRole role,
      String text,
      Map<String, String> own) {
    Map<String, String> metadata = new HashMap<>();
    own.forEach((key, value) -> put(metadata, key, value));
    turn.metadata()
        .forEach((key, value) -> {
          if (!metadata.containsKey(key)) {
            put(metadata, key, value);
          }
        });
    return new Event(
        id,
        turn.session(),
        turn.time(),
        type,
        role,
        bounded(CapturedText.valid(text), metadata),
        metadata,
        Optional.of(turn.agent()),
        turn.position());
  }

  private static void put(Map<String, String> metadata, String key, String value) {
    if (metadata.size() < MOST_ENTRIES && !value.isEmpty() && !key.isBlank()) {
      metadata.put(
          CapturedText.cut(CapturedText.valid(key), MOST_KEY_BYTES),
          CapturedText.cut(CapturedText.valid(value), AgentMetadata.MOST_VALUE_BYTES));
    }
  }

  /// The text, or its beginning and end when it is too long; then size and hash are noted.
  private static String bounded(String text, Map<String, String> metadata) {
    if (text.length() * 3L <= MOST_TEXT_BYTES) {
      return text;
    }
    byte[] all = text.getBytes(StandardCharsets.UTF_8);
    if (all.length <= MOST_TEXT_BYTES) {
      return text;
    }
    metadata.put(AgentMetadata.TEXT_BYTES, Integer.toString(all.length));
    metadata.put(AgentMetadata.TEXT_HASH, EventIdentity.sha256(text));
    return CapturedText.decoded(all, 0, HEAD_BYTES)
        + "\n[… "
        + (all.length - HEAD_BYTES - TAIL_BYTES)
        + " bytes left out …]\n"
        + CapturedText.tail(all, TAIL_BYTES);
  }
}
