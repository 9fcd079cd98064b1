package dev.agentmemory.recall.internal.record;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentmemory.types.MemoryId;
import java.util.Optional;

/// A memory that became a part of another one: `{"schema_version":1,"into":"01…","digest":"…"}`.
///
/// @param into the survivor
/// @param digest of what the memory said, so that deleting the survivor covers it
record MergeJson(MemoryId into, Optional<String> digest) {

  static MergeJson read(String row) {
    ObjectNode json = RecordJson.parse(row);
    return new MergeJson(
        MemoryId.of(RecordJson.text(json, "into")), RecordJson.optionalText(json, "digest"));
  }

  String write() {
    ObjectNode json = RecordJson.object();
    json.put("schema_version", 1).put("into", into.value());
    digest.ifPresent(text -> json.put("digest", text));
    return RecordJson.write(json);
  }
}
