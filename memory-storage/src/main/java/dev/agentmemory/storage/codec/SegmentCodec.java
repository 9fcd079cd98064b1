package dev.agentmemory.storage.codec;

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
public final class SegmentCodec {

  private static final int SCHEMA_VERSION = 1;

  private SegmentCodec() {}

  public static byte[] encode(Segment segment) {
    return RowJson.object(json -> {
      json.writeNumberField("schema_version", SCHEMA_VERSION);
      json.writeStringField("segment_id", segment.id().value());
      json.writeStringField("session_id", segment.session().value());
      json.writeStringField("node_id", segment.node().value());
      json.writeStringField("boundary", RowJson.lower(segment.boundary()));
      json.writeNumberField("tokens", segment.tokens());
      json.writeArrayFieldStart("events");
      for (SegmentEntry entry : segment.entries()) {
        writeEntry(json, entry);
      }
      json.writeEndArray();
      json.writeArrayFieldStart("overlap");
      for (EventKey key : segment.overlap()) {
        json.writeStartObject();
        RowJson.writeEventKey(json, key);
        json.writeEndObject();
      }
      json.writeEndArray();
    });
  }

  private static void writeEntry(JsonGenerator json, SegmentEntry entry) throws IOException {
    json.writeStartObject();
    RowJson.writeEventKey(json, entry.key());
    json.writeNumberField("tokens", entry.tokens());
    if (entry.kind() == SegmentEntry.Kind.END) {
      json.writeBooleanField("ends_session", true);
    } else {
      json.writeStringField("kind", RowJson.lower(entry.kind()));
    }
    json.writeEndObject();
  }

  public static Segment decode(byte[] row) {
    return RowJson.parse(row, SegmentCodec::segment);
  }

  private static Segment segment(JsonNode row) {
    return new Segment(
        SegmentId.parse("segment_id", RowJson.text(row, "segment_id")),
        new SessionId(RowJson.text(row, "session_id")),
        RowJson.nodeId(RowJson.text(row, "node_id")),
        RowJson.list(row, "events", SegmentCodec::entry),
        RowJson.list(row, "overlap", RowJson::eventKey),
        Boundary.valueOf(RowJson.upper(RowJson.text(row, "boundary"))));
  }

  private static SegmentEntry entry(JsonNode row) {
    return new SegmentEntry(RowJson.eventKey(row), (int) RowJson.number(row, "tokens"), kind(row));
  }

  /// Rows of earlier versions do not say it; their segments were cut wherever an event began, so
  /// that each event counts as an answer.
  private static SegmentEntry.Kind kind(JsonNode row) {
    if (row.path("ends_session").asBoolean()) {
      return SegmentEntry.Kind.END;
    }
    return row.has("kind")
        ? SegmentEntry.Kind.valueOf(RowJson.upper(RowJson.text(row, "kind")))
        : SegmentEntry.Kind.ASSISTANT;
  }
}
