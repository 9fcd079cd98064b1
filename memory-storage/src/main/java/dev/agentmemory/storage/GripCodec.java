package dev.agentmemory.storage;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.Grip;
import dev.agentmemory.types.GripId;

/// Grips as rows.
final class GripCodec {

  private static final int SCHEMA_VERSION = 1;

  private GripCodec() {}

  static byte[] encode(Grip grip) {
    return Json.object(json -> {
      json.writeNumberField("schema_version", SCHEMA_VERSION);
      json.writeStringField("grip_id", grip.id().value());
      json.writeStringField("excerpt", grip.excerpt());
      json.writeStringField("event_id_start", grip.first().value());
      json.writeStringField("event_id_end", grip.last().value());
      json.writeNumberField("timestamp_ms", grip.timestamp().toEpochMilli());
      json.writeStringField("source", grip.source());
      json.writeStringField("toc_node_id", grip.node().value());
    });
  }

  static Grip decode(byte[] row) {
    return Json.parse(row, GripCodec::grip);
  }

  private static Grip grip(JsonNode row) {
    return new Grip(
        new GripId(Json.text(row, "grip_id")),
        Json.text(row, "excerpt"),
        new EventId(Json.text(row, "event_id_start")),
        new EventId(Json.text(row, "event_id_end")),
        Json.time(row, "timestamp_ms"),
        Json.text(row, "source"),
        Json.nodeId(Json.text(row, "toc_node_id")));
  }
}
