package dev.agentmemory.recall.internal.record;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentmemory.api.recall.MemoryUse;

/// How a memory was read: `{"schema_version":1,"access_count":2,"last_access_ms":1}`.
final class UseJson {

  private UseJson() {}

  static String write(MemoryUse use) {
    ObjectNode json = RecordJson.object();
    json.put("schema_version", 1).put("access_count", use.count());
    use.lastAccess().ifPresent(time -> json.put("last_access_ms", time.toEpochMilli()));
    return RecordJson.write(json);
  }

  static MemoryUse read(String row) {
    ObjectNode json = RecordJson.parse(row);
    return new MemoryUse(
        RecordJson.optionalTime(json, "last_access_ms"),
        Math.max(0, RecordJson.number(json, "access_count")));
  }
}
