package dev.agentmemory.recall.internal.record;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemoryState;
import java.time.Instant;

/// A former state of a memory: `{"schema_version":1,"until_ms":1,"reason":"update","memory":{…}}`.
final class StateJson {

  private StateJson() {}

  static String write(MemoryRecord memory, Instant until, String reason) {
    ObjectNode json = RecordJson.object();
    json.put("schema_version", 1).put("until_ms", until.toEpochMilli()).put("reason", reason);
    json.set("memory", MemoryJson.CURRENT.node(memory));
    return RecordJson.write(json);
  }

  static MemoryState read(MemoryJson form, String row, boolean verify) {
    ObjectNode json = RecordJson.parse(row);
    if (!(RecordJson.required(json, "memory") instanceof ObjectNode memory)) {
      throw RecordJson.corrupt("field memory is no object");
    }
    return new MemoryState(
        form.read(memory, verify),
        RecordJson.time(json, "until_ms"),
        RecordJson.text(json, "reason"));
  }
}
