package dev.agentmemory.storage;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.SessionId;

/// Sessions as rows of `conversations`.
final class SessionCodec {

  private static final int SCHEMA_VERSION = 1;

  private SessionCodec() {}

  static byte[] encode(Conversation conversation) {
    Session session = conversation.session();
    return Json.object(json -> {
      json.writeNumberField("schema_version", SCHEMA_VERSION);
      json.writeStringField("session_id", session.id().value());
      Json.writeEventKey(json, session.first(), "first_ms", "first_position", "first_event_id");
      Json.writeEventKey(json, session.last(), "last_ms", "last_position", "last_event_id");
      json.writeNumberField("events", session.events());
      json.writeNumberField("highest_position", conversation.highest());
      json.writeBooleanField("ended", session.ended());
      if (session.agent().isPresent()) {
        json.writeStringField("agent", session.agent().get());
      }
    });
  }

  static Conversation decode(byte[] row) {
    return Json.parse(row, SessionCodec::conversation);
  }

  private static Conversation conversation(JsonNode row) {
    String counted = row.has("highest_position") ? "highest_position" : "events";
    return new Conversation(session(row), Json.number(row, counted));
  }

  private static Session session(JsonNode row) {
    return new Session(
        new SessionId(Json.text(row, "session_id")),
        Json.eventKey(row, "first_ms", "first_position", "first_event_id"),
        Json.eventKey(row, "last_ms", "last_position", "last_event_id"),
        Json.number(row, "events"),
        Json.required(row, "ended").asBoolean(),
        Json.optionalText(row, "agent"));
  }
}
