package dev.agentmemory.storage;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import dev.agentmemory.types.Boundary;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.SegmentEntry;
import dev.agentmemory.types.SegmentId;
import dev.agentmemory.types.SessionId;
import java.io.IOException;

/// Segments as rows.
final class SegmentCodec {

  private static final int SCHEMA_VERSION = 1;

  private SegmentCodec() {}

  static byte[] encode(Segment segment) {
    return Json.object(json -> {
      json.writeNumberField("schema_version", SCHEMA_VERSION);
      json.writeStringField("segment_id", segment.id().value());
      json.writeStringField("session_id", segment.session().value());
      json.writeStringField("node_id", segment.node().value());
      json.writeStringField("boundary", Json.lower(segment.boundary()));
      json.writeNumberField("tokens", segment.tokens());
      json.writeArrayFieldStart("events");
      for (SegmentEntry entry : segment.entries()) {
        writeEntry(json, entry);
      }
      json.writeEndArray();
      json.writeArrayFieldStart("overlap");
      for (EventKey key : segment.overlap()) {
        json.writeStartObject();
        Json.writeEventKey(json, key);
        json.writeEndObject();
      }
      json.writeEndArray();
    });
  }

  private static void writeEntry(JsonGenerator json, SegmentEntry entry) throws IOException {
    json.writeStartObject();
    Json.writeEventKey(json, entry.key());
    json.writeNumberField("tokens", entry.tokens());
    if (entry.endsSession()) {
      json.writeBooleanField("ends_session", true);
    }
    json.writeEndObject();
  }

  static Segment decode(byte[] row) {
    return Json.parse(row, SegmentCodec::segment);
  }

  private static Segment segment(JsonNode row) {
    return new Segment(
        SegmentId.parse("segment_id", Json.text(row, "segment_id")),
        new SessionId(Json.text(row, "session_id")),
        Json.nodeId(Json.text(row, "node_id")),
        Json.list(row, "events", SegmentCodec::entry),
        Json.list(row, "overlap", Json::eventKey),
        Boundary.valueOf(Json.upper(Json.text(row, "boundary"))));
  }

  private static SegmentEntry entry(JsonNode row) {
    return new SegmentEntry(
        Json.eventKey(row), (int) Json.number(row, "tokens"), row.path("ends_session").asBoolean());
  }
}
