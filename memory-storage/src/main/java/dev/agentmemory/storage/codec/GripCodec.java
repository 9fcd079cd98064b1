package dev.agentmemory.storage.codec;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.Grip;
import dev.agentmemory.types.GripId;

/// Grips as rows.
public final class GripCodec {

  private static final int SCHEMA_VERSION = 1;

  private GripCodec() {}

  public static byte[] encode(Grip grip) {
    return RowJson.object(json -> {
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

  public static Grip decode(byte[] row) {
    return RowJson.parse(row, GripCodec::grip);
  }

  private static Grip grip(JsonNode row) {
    return new Grip(
        new GripId(RowJson.text(row, "grip_id")),
        RowJson.text(row, "excerpt"),
        new EventId(RowJson.text(row, "event_id_start")),
        new EventId(RowJson.text(row, "event_id_end")),
        RowJson.time(row, "timestamp_ms"),
        RowJson.text(row, "source"),
        RowJson.nodeId(RowJson.text(row, "toc_node_id")));
  }
}
