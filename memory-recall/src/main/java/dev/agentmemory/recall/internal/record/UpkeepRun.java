package dev.agentmemory.recall.internal.record;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentmemory.api.upkeep.ConsolidationCounts;
import dev.agentmemory.api.upkeep.ConsolidationEntry;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.Optional;

/// What a run of upkeep did:
///
/// ```
/// {"schema_version":1,"id":"01…","kind":"consolidation","session":"…","time_ms":1,
///  "counts":{"scored":1,"promoted":0,"pruned":0,"merged":0,"superseded":0,"capped":0,"expired":0},
///  "parts":1,"undone_parts":0,"bytes":1,"undone_ms":2}
/// ```
///
/// A run is written in one or more parts, a commit each. Each commit has the changes, their former
/// states and this row, so the row describes what was done also if the run was cut off.
///
/// @param kind `consolidation` or `compaction`
/// @param session that was compacted; empty for a consolidation
/// @param parts how many commits it had
/// @param undoneParts how many of them, from the last one on, were undone; their rows are gone
/// @param bytes of the rows of its parts
/// @param undone when all of it was undone; empty if it was not
public record UpkeepRun(
    MemoryId id,
    String kind,
    Optional<SessionId> session,
    Instant time,
    ConsolidationCounts counts,
    int parts,
    int undoneParts,
    long bytes,
    Optional<Instant> undone) {

  public static final String CONSOLIDATION = "consolidation";
  public static final String COMPACTION = "compaction";

  /// The same with one more part.
  public UpkeepRun plus(ConsolidationCounts changed, long added) {
    return new UpkeepRun(
        id, kind, session, time, changed, parts + 1, undoneParts, bytes + added, undone);
  }

  /// The same with the last part that was not undone, undone.
  ///
  /// @param now undone when it was the first part
  public UpkeepRun minusPart(Instant now) {
    int left = lastPart() - 1;
    return new UpkeepRun(
        id,
        kind,
        session,
        time,
        counts,
        parts,
        undoneParts + 1,
        left == 0 ? 0 : bytes,
        left == 0 ? Optional.of(now) : Optional.empty());
  }

  /// The last part that was not undone; 0 when all of them were.
  public int lastPart() {
    return parts - undoneParts;
  }

  public ConsolidationEntry entry() {
    return new ConsolidationEntry(id.value(), kind, time, counts, undone);
  }

  /// @throws MemoryException `CORRUPT_RECORD`
  static UpkeepRun read(String row) {
    ObjectNode json = RecordJson.parse(row);
    try {
      return read(json);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new MemoryException(ErrorCode.CORRUPT_RECORD, String.valueOf(e.getMessage()), e);
    }
  }

  private static UpkeepRun read(ObjectNode json) {
    if (!(RecordJson.required(json, "counts") instanceof ObjectNode counts)) {
      throw RecordJson.corrupt("field counts is no object");
    }
    return new UpkeepRun(
        MemoryId.of(RecordJson.text(json, "id")),
        RecordJson.text(json, "kind"),
        RecordJson.optionalText(json, "session").map(SessionId::new),
        RecordJson.time(json, "time_ms"),
        counts(counts),
        Math.toIntExact(RecordJson.number(json, "parts")),
        Math.toIntExact(RecordJson.number(json, "undone_parts")),
        RecordJson.number(json, "bytes"),
        RecordJson.optionalTime(json, "undone_ms"));
  }

  private static ConsolidationCounts counts(ObjectNode json) {
    return new ConsolidationCounts(
        RecordJson.number(json, "scored"),
        RecordJson.number(json, "promoted"),
        RecordJson.number(json, "pruned"),
        RecordJson.number(json, "merged"),
        RecordJson.number(json, "superseded"),
        RecordJson.number(json, "capped"),
        RecordJson.number(json, "expired"));
  }

  String write() {
    ObjectNode json = RecordJson.object();
    json.put("schema_version", 1).put("id", id.value()).put("kind", kind);
    session.ifPresent(name -> json.put("session", name.value()));
    json.put("time_ms", time.toEpochMilli());
    json.putObject("counts")
        .put("scored", counts.scored())
        .put("promoted", counts.promoted())
        .put("pruned", counts.pruned())
        .put("merged", counts.merged())
        .put("superseded", counts.superseded())
        .put("capped", counts.capped())
        .put("expired", counts.expired());
    json.put("parts", parts).put("undone_parts", undoneParts).put("bytes", bytes);
    undone.ifPresent(when -> json.put("undone_ms", when.toEpochMilli()));
    return RecordJson.write(json);
  }
}
