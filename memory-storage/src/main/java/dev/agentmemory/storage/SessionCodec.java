package dev.agentmemory.storage;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.SessionId;

/// Sessions as rows of `conversations`.
final class SessionCodec {

  private static final int SCHEMA_VERSION = 1;

  private SessionCodec() {}

  static byte[] encode(Session session) {
    return Json.object(json -> {
      json.writeNumberField("schema_version", SCHEMA_VERSION);
      json.writeStringField("session_id", session.id().value());
      json.writeNumberField("first_ms", session.first().timestamp().toEpochMilli());
      json.writeStringField("first_event_id", session.first().id().value());
      json.writeNumberField("last_ms", session.last().timestamp().toEpochMilli());
      json.writeStringField("last_event_id", session.last().id().value());
      json.writeNumberField("events", session.events());
      json.writeBooleanField("ended", session.ended());
      if (session.agent().isPresent()) {
        json.writeStringField("agent", session.agent().get());
      }
    });
  }

  static Session decode(byte[] row) {
    return Json.parse(row, SessionCodec::session);
  }

  private static Session session(JsonNode row) {
    return new Session(
        new SessionId(Json.text(row, "session_id")),
        new EventKey(Json.time(row, "first_ms"), new EventId(Json.text(row, "first_event_id"))),
        new EventKey(Json.time(row, "last_ms"), new EventId(Json.text(row, "last_event_id"))),
        Json.number(row, "events"),
        Json.required(row, "ended").asBoolean(),
        Json.optionalText(row, "agent"));
  }
}
