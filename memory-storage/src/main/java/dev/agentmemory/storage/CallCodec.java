package dev.agentmemory.storage;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentmemory.types.ModelCall;
import java.time.Duration;

/// Calls to models as rows.
final class CallCodec {

  private static final int SCHEMA_VERSION = 1;

  private CallCodec() {}

  static byte[] encode(ModelCall call) {
    return Json.object(json -> {
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
      json.writeStringField("outcome", Json.lower(call.outcome()));
    });
  }

  static ModelCall decode(byte[] row) {
    return Json.parse(row, CallCodec::call);
  }

  private static ModelCall call(JsonNode row) {
    return new ModelCall(
        Json.text(row, "call_id"),
        Json.time(row, "timestamp_ms"),
        Json.text(row, "job"),
        Json.optionalText(row, "node_id").map(Json::nodeId),
        Json.text(row, "model"),
        Json.number(row, "input_tokens"),
        Json.number(row, "output_tokens"),
        Duration.ofMillis(Json.number(row, "duration_ms")),
        ModelCall.Outcome.valueOf(Json.upper(Json.text(row, "outcome"))));
  }
}
