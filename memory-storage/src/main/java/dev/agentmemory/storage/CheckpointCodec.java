package dev.agentmemory.storage;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentmemory.store.Checkpoint;
import java.util.HashMap;
import java.util.Map;

/// Checkpoints as rows.
final class CheckpointCodec {

  private CheckpointCodec() {}

  static byte[] encode(Checkpoint checkpoint) {
    return Json.object(json -> {
      json.writeStringField("name", checkpoint.name());
      json.writeNumberField("cursor", checkpoint.cursor());
      json.writeObjectFieldStart("attributes");
      for (Map.Entry<String, String> entry : checkpoint.attributes().entrySet()) {
        json.writeStringField(entry.getKey(), entry.getValue());
      }
      json.writeEndObject();
    });
  }

  static Checkpoint decode(byte[] row) {
    return Json.parse(row, CheckpointCodec::checkpoint);
  }

  private static Checkpoint checkpoint(JsonNode row) {
    var attributes = new HashMap<String, String>();
    Json.required(row, "attributes")
        .properties()
        .forEach(entry -> attributes.put(entry.getKey(), entry.getValue().asText()));
    return new Checkpoint(Json.text(row, "name"), Json.number(row, "cursor"), attributes);
  }
}
