package dev.agentmemory.recall.upkeep;

import dev.agentmemory.recall.internal.record.MemoryJson;
import dev.agentmemory.store.Finding;
import dev.agentmemory.store.record.RecordReader;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Checks the memories of a store, of all workspaces in it, against their checksums.
public final class MemoryRowCheck {

  private static final String TABLE = "records";
  private static final String PREFIX = "memory:";

  /// Rows that are read at once. A row can have more than a megabyte.
  private static final int PART = 50;

  private MemoryRowCheck() {}

  /// Reads all memories, whatever `recall.checksums` says.
  ///
  /// @param limit most findings
  /// @return the memories that a daemon passes over; empty when there is none
  public static List<Finding> run(RecordReader rows, int limit) {
    List<Finding> findings = new ArrayList<>();
    List<StoredRecord> part = rows.records(PREFIX, Optional.empty(), PART);
    while (!part.isEmpty() && findings.size() < limit) {
      part.stream()
          .flatMap(row -> problem(row).stream())
          .limit(limit - findings.size())
          .forEach(findings::add);
      part = rows.records(PREFIX, Optional.of(part.getLast().key()), PART);
    }
    return findings;
  }

  private static Optional<Finding> problem(StoredRecord row) {
    try {
      var _ = MemoryJson.CURRENT.read(row.value(), /* verify= */ true);
      return Optional.empty();
    } catch (MemoryException e) {
      e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
      return Optional.of(
          new Finding(
              TABLE,
              row.key(),
              "the memory has changed and is passed over: %s; restore a backup, or delete it with `memory memories delete`"
                  .formatted(e.getMessage())));
    }
  }
}
