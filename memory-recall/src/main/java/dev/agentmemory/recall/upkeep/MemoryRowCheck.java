package dev.agentmemory.recall.upkeep;

import dev.agentmemory.recall.internal.record.MemoryJson;
import dev.agentmemory.recall.internal.record.MemoryKeys;
import dev.agentmemory.recall.internal.record.RecordJson;
import dev.agentmemory.store.Finding;
import dev.agentmemory.store.record.RecordReader;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Checks the memories of a store, of all workspaces in it, against their checksums, and whether
/// the rows beside them can be read at all: those have no checksum.
public final class MemoryRowCheck {

  private static final String TABLE = "records";
  private static final String MEMORIES = "memory:";

  /// Kinds of rows whose values are JSON objects.
  private static final List<String> OTHERS =
      List.of(
          "channel:",
          "conversation:",
          "digest_times:",
          "history:",
          "injection:",
          "merged:",
          "pad:",
          "run:",
          "run_ids:",
          "run_rows:",
          "stated:",
          "tombstone:",
          "use:",
          "vector:");

  private MemoryRowCheck() {}

  /// Reads all rows, whatever `recall.checksums` says.
  ///
  /// @param limit most findings
  /// @return the rows that a daemon passes over; empty when there is none
  public static List<Finding> run(RecordReader rows, int limit) {
    List<Finding> findings = new ArrayList<>();
    run(rows, MEMORIES, MemoryRowCheck::checkMemory, limit, findings);
    for (String kind : OTHERS) {
      run(rows, kind, MemoryRowCheck::checkOther, limit, findings);
    }
    return findings;
  }

  private static void run(
      RecordReader rows,
      String kind,
      Function<StoredRecord, Optional<String>> check,
      int limit,
      List<Finding> findings) {
    int page = MemoryKeys.page(kind);
    List<StoredRecord> part = rows.records(kind, Optional.empty(), page);
    while (!part.isEmpty() && findings.size() < limit) {
      part.stream()
          .flatMap(row -> check.apply(row).map(why -> new Finding(TABLE, row.key(), why)).stream())
          .limit(limit - findings.size())
          .forEach(findings::add);
      part = rows.records(kind, Optional.of(part.getLast().key()), page);
    }
  }

  private static Optional<String> checkMemory(StoredRecord row) {
    try {
      var _ = MemoryJson.CURRENT.read(row.value(), /* verify= */ true);
      return Optional.empty();
    } catch (MemoryException e) {
      e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
      return Optional.of(
          "the memory has changed and is passed over: %s; restore a backup, or delete it with `memory memories delete`"
              .formatted(e.getMessage()));
    }
  }

  private static Optional<String> checkOther(StoredRecord row) {
    return RecordJson.find(row.value()).isPresent()
        ? Optional.empty()
        : Optional.of("the row is not a JSON object and is passed over; restore a backup");
  }
}
