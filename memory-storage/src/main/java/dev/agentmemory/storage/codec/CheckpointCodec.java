package dev.agentmemory.storage.codec;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentmemory.store.Checkpoint;
import java.util.HashMap;
import java.util.Map;

/// Checkpoints as rows.
public final class CheckpointCodec {

  private CheckpointCodec() {}

  public static byte[] encode(Checkpoint checkpoint) {
    return RowJson.object(json -> {
      json.writeStringField("name", checkpoint.name());
      json.writeNumberField("cursor", checkpoint.cursor());
      json.writeObjectFieldStart("attributes");
      for (Map.Entry<String, String> entry : checkpoint.attributes().entrySet()) {
        json.writeStringField(entry.getKey(), entry.getValue());
      }
      json.writeEndObject();
    });
  }

  public static Checkpoint decode(byte[] row) {
    return RowJson.parse(row, CheckpointCodec::checkpoint);
  }

  private static Checkpoint checkpoint(JsonNode row) {
    var attributes = new HashMap<String, String>();
    RowJson.required(row, "attributes")
        .properties()
        .forEach(entry -> attributes.put(entry.getKey(), entry.getValue().asText()));
    return new Checkpoint(RowJson.text(row, "name"), RowJson.number(row, "cursor"), attributes);
  }
}
