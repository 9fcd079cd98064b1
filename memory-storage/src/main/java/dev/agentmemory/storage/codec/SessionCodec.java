package dev.agentmemory.storage.codec;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.SessionId;

/// Sessions as rows of `conversations`.
public final class SessionCodec {

  private static final int SCHEMA_VERSION = 1;

  private SessionCodec() {}

  public static byte[] encode(Conversation conversation) {
    Session session = conversation.session();
    return RowJson.object(json -> {
      json.writeNumberField("schema_version", SCHEMA_VERSION);
      json.writeStringField("session_id", session.id().value());
      RowJson.writeEventKey(json, session.first(), "first_ms", "first_position", "first_event_id");
      RowJson.writeEventKey(json, session.last(), "last_ms", "last_position", "last_event_id");
      json.writeNumberField("events", session.events());
      json.writeNumberField("highest_position", conversation.highest());
      json.writeBooleanField("ended", session.ended());
      if (session.agent().isPresent()) {
        json.writeStringField("agent", session.agent().get());
      }
    });
  }

  public static Conversation decode(byte[] row) {
    return RowJson.parse(row, SessionCodec::conversation);
  }

  private static Conversation conversation(JsonNode row) {
    String counted = row.has("highest_position") ? "highest_position" : "events";
    return new Conversation(session(row), RowJson.number(row, counted));
  }

  private static Session session(JsonNode row) {
    return new Session(
        new SessionId(RowJson.text(row, "session_id")),
        RowJson.eventKey(row, "first_ms", "first_position", "first_event_id"),
        RowJson.eventKey(row, "last_ms", "last_position", "last_event_id"),
        RowJson.number(row, "events"),
        RowJson.required(row, "ended").asBoolean(),
        RowJson.optionalText(row, "agent"));
  }
}
