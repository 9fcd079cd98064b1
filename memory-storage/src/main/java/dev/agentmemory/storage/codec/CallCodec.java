package dev.agentmemory.storage.codec;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentmemory.types.ModelCall;
import java.time.Duration;

/// Calls to models as rows.
public final class CallCodec {

  private static final int SCHEMA_VERSION = 1;

  private CallCodec() {}

  public static byte[] encode(ModelCall call) {
    return RowJson.object(json -> {
      json.writeNumberField("schema_version", SCHEMA_VERSION);
      json.writeStringField("call_id", call.id());
      json.writeNumberField("timestamp_ms", call.time().toEpochMilli());
      json.writeStringField("job", call.job());
      if (call.node().isPresent()) {
        json.writeStringField("node_id", call.node().get().value());
      }
      json.writeStringField("model", call.model());
      json.writeNumberField("input_tokens", call.inputTokens());
      json.writeNumberField("output_tokens", call.outputTokens());
      json.writeNumberField("duration_ms", call.duration().toMillis());
      json.writeStringField("outcome", RowJson.lower(call.outcome()));
    });
  }

  public static ModelCall decode(byte[] row) {
    return RowJson.parse(row, CallCodec::call);
  }

  private static ModelCall call(JsonNode row) {
    return new ModelCall(
        RowJson.text(row, "call_id"),
        RowJson.time(row, "timestamp_ms"),
        RowJson.text(row, "job"),
        RowJson.optionalText(row, "node_id").map(RowJson::nodeId),
        RowJson.text(row, "model"),
        RowJson.number(row, "input_tokens"),
        RowJson.number(row, "output_tokens"),
        Duration.ofMillis(RowJson.number(row, "duration_ms")),
        ModelCall.Outcome.valueOf(RowJson.upper(RowJson.text(row, "outcome"))));
  }
}
