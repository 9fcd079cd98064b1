package dev.agentmemory.recall.exchange;

import dev.agentmemory.api.recall.Deletion;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemoryRecord.EmbeddingState;
import dev.agentmemory.api.recall.MemoryScope;
import dev.agentmemory.api.recall.MemoryState;
import dev.agentmemory.api.recall.MemoryUse;
import dev.agentmemory.recall.RecallServices;
import dev.agentmemory.recall.internal.record.ContentMask;
import dev.agentmemory.recall.internal.record.MemoryJson;
import dev.agentmemory.recall.internal.record.MemoryJson.MemoryRow;
import dev.agentmemory.recall.internal.record.Tombstone;
import dev.agentmemory.types.MemoryException;
import java.time.Instant;
import java.util.Optional;

/// Checks what lines say by the rules for what callers send, and masks it.
final class ImportedForm {

  private final RecallServices services;
  private final ContentMask mask;

  ImportedForm(RecallServices services) {
    this.services = services;
    this.mask = new ContentMask(services.mask());
  }

  /// @throws MemoryException `INVALID_FIELD`
  MemoryRow row(MemoryRecord memory) {
    check(memory);
    return MemoryJson.CURRENT.row(masked(memory));
  }

  /// @throws MemoryException `INVALID_FIELD`
  MemoryState state(MemoryState state) {
    checkTime("until_ms", state.until());
    return new MemoryState(row(state.memory()).memory(), state.until(), reason(state.reason()));
  }

  /// @throws MemoryException `INVALID_FIELD`
  Tombstone tombstone(Tombstone tombstone) {
    checkTime("deleted_ms", tombstone.time());
    return new Tombstone(
        tombstone.id(), tombstone.time(), reason(tombstone.reason()), tombstone.forgotten());
  }

  private String reason(String reason) {
    if (reason.length() > Deletion.MAX_REASON) {
      throw MemoryException.invalid(
          "reason",
          "has %d characters; expected at most %d".formatted(reason.length(), Deletion.MAX_REASON));
    }
    String masked = mask.text("reason", reason);
    // A mask can be longer than what it stands for.
    return masked.substring(0, Math.min(masked.length(), Deletion.MAX_REASON));
  }

  private void check(MemoryRecord memory) {
    // A draft has the rules for what callers send.
    var _ =
        new MemoryDraft(
            Optional.of(memory.id()),
            memory.place(),
            memory.lifetime(),
            memory.kind(),
            Optional.of(memory.source()),
            memory.content(),
            memory.importance(),
            memory.tags(),
            memory.links(),
            Optional.of(memory.validity().created()));
    if (memory.id().workspace().isPresent()) {
      throw MemoryException.invalid("id", "names a workspace; give a ULID alone");
    }
    checkTime("created_ms", memory.validity().created());
    checkTime("updated_ms", memory.validity().updated());
    checkTime("valid_from_ms", memory.validity().validFrom());
    memory.validity().supersededAt().ifPresent(time -> checkTime("superseded_at_ms", time));
    memory.use().lastAccess().ifPresent(time -> checkTime("last_access_ms", time));
  }

  private void checkTime(String field, Instant time) {
    if (time.toEpochMilli() < 0) {
      throw MemoryException.invalid(field, "is before 1970; give milliseconds since the epoch");
    }
    if (time.isAfter(services.system().now().plus(services.maxClockSkew()))) {
      throw MemoryException.invalid(
          field,
          "is %s, more than %d s (ingest.max_clock_skew) ahead of the daemon's clock; check the clocks"
              .formatted(time, services.maxClockSkew().toSeconds()));
    }
  }

  private MemoryRecord masked(MemoryRecord memory) {
    String source = mask.text("source", memory.source());
    return new MemoryRecord(
        memory.id(),
        memory.place(),
        memory.lifetime(),
        memory.kind(),
        source.substring(0, Math.min(source.length(), MemoryDraft.MAX_SOURCE)),
        mask.content("", memory.content()),
        memory.importance(),
        memory.pinned(),
        mask.tags(memory.tags()),
        memory.links(),
        memory.validity(),
        MemoryUse.NEVER,
        memory.place().scope() == MemoryScope.ACCOUNT
            ? EmbeddingState.NONE
            : EmbeddingState.PENDING,
        "");
  }
}
