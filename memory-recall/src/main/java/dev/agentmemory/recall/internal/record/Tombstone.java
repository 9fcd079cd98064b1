package dev.agentmemory.recall.internal.record;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentmemory.types.MemoryId;
import java.time.Instant;

/// What stays of a memory that was removed.
///
/// @param reason why
/// @param forgotten whether a caller deleted it, so that neither extraction, import nor undo may
///   bring it back; else upkeep dropped it, which an undo reverses
public record Tombstone(MemoryId id, Instant time, String reason, boolean forgotten) {

  static Tombstone read(String row) {
    ObjectNode json = RecordJson.parse(row);
    return new Tombstone(
        MemoryId.of(RecordJson.text(json, "id")),
        RecordJson.time(json, "deleted_ms"),
        RecordJson.text(json, "reason"),
        RecordJson.bool(json, "forgotten"));
  }

  /// The same of another memory.
  Tombstone of(MemoryId other) {
    return new Tombstone(other, time, reason, forgotten);
  }

  /// @param digest of what it said; empty when that could not be read
  String write(String digest) {
    ObjectNode json = RecordJson.object();
    json.put("schema_version", 1).put("id", id.value()).put("deleted_ms", time.toEpochMilli());
    json.put("reason", reason).put("forgotten", forgotten);
    if (!digest.isEmpty()) {
      json.put("digest", digest);
    }
    return RecordJson.write(json);
  }
}
