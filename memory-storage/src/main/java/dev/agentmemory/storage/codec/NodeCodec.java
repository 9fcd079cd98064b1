package dev.agentmemory.storage.codec;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import dev.agentmemory.types.Bullet;
import dev.agentmemory.types.Edition;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.Span;
import dev.agentmemory.types.TocNode;
import java.io.IOException;
import java.util.Optional;

/// Versions of nodes as rows.
public final class NodeCodec {

  private static final int SCHEMA_VERSION = 1;

  private NodeCodec() {}

  public static byte[] encode(TocNode node) {
    return RowJson.object(json -> {
      json.writeNumberField("schema_version", SCHEMA_VERSION);
      json.writeStringField("node_id", node.id().value());
      json.writeNumberField("version", node.edition().version());
      json.writeNumberField("created_at_ms", node.edition().createdAt().toEpochMilli());
      json.writeBooleanField("provisional", node.edition().provisional());
      json.writeStringField("summarizer", node.edition().summarizer());
      if (node.edition().revertedTo().isPresent()) {
        json.writeNumberField("reverted_to", node.edition().revertedTo().get());
      }
      if (node.edition().input().isPresent()) {
        json.writeStringField("input", node.edition().input().get());
      }
      json.writeStringField("title", node.title());
      if (node.summary().isPresent()) {
        json.writeStringField("summary", node.summary().get());
      }
      writeBullets(json, node);
      json.writeArrayFieldStart("keywords");
      for (String keyword : node.keywords()) {
        json.writeString(keyword);
      }
      json.writeEndArray();
      json.writeArrayFieldStart("children");
      for (var child : node.children()) {
        json.writeString(child.value());
      }
      json.writeEndArray();
      json.writeNumberField("start_time_ms", node.span().start().toEpochMilli());
      json.writeNumberField("end_time_ms", node.span().end().toEpochMilli());
    });
  }

  private static void writeBullets(JsonGenerator json, TocNode node) throws IOException {
    json.writeArrayFieldStart("bullets");
    for (Bullet bullet : node.bullets()) {
      json.writeStartObject();
      json.writeStringField("text", bullet.text());
      json.writeNumberField("salience", bullet.salience());
      json.writeArrayFieldStart("grip_ids");
      for (GripId grip : bullet.grips()) {
        json.writeString(grip.value());
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  public static TocNode decode(byte[] row) {
    return RowJson.parse(row, NodeCodec::node);
  }

  private static TocNode node(JsonNode row) {
    return new TocNode(
        RowJson.nodeId(RowJson.text(row, "node_id")),
        RowJson.text(row, "title"),
        RowJson.optionalText(row, "summary"),
        RowJson.list(row, "bullets", NodeCodec::bullet),
        RowJson.list(row, "keywords", JsonNode::asText),
        RowJson.list(row, "children", child -> RowJson.nodeId(child.asText())),
        new Span(RowJson.time(row, "start_time_ms"), RowJson.time(row, "end_time_ms")),
        new Edition(
            (int) RowJson.number(row, "version"),
            RowJson.time(row, "created_at_ms"),
            RowJson.required(row, "provisional").asBoolean(),
            RowJson.text(row, "summarizer"),
            Optional.ofNullable(row.get("reverted_to")).map(JsonNode::asInt),
            RowJson.optionalText(row, "input")));
  }

  private static Bullet bullet(JsonNode row) {
    return new Bullet(
        RowJson.text(row, "text"),
        RowJson.list(row, "grip_ids", grip -> new GripId(grip.asText())),
        RowJson.required(row, "salience").asDouble());
  }
}
