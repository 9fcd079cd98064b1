package dev.agentmemory.recall.exchange;

import dev.agentmemory.api.upkeep.ImportReport;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// Counts what becomes of the lines of one call.
final class ImportTally {

  /// What became of a line that was not skipped.
  enum Outcome {
    IMPORTED,
    /// It is there with the same content.
    KNOWN
  }

  /// What a line says, or what it does.
  interface Attempt {

    /// @throws MemoryException when the line is to be skipped
    Outcome run();
  }

  private final SortedMap<Long, String> reasons = new TreeMap<>();
  private long imported;
  private long known;

  /// Counts a line. It is skipped when the attempt says that the line is wrong or has no place; an
  /// error of the store ends the import.
  void count(long line, Attempt attempt) {
    try {
      switch (attempt.run()) {
        case IMPORTED -> imported++;
        case KNOWN -> known++;
      }
    } catch (MemoryException e) {
      if (!isOfTheLine(e)) {
        throw e;
      }
      skip(line, String.valueOf(e.getMessage()));
    } catch (IllegalArgumentException e) {
      // Thrown by values that check themselves. The message can contain the value, which is not
      // masked.
      skip(line, "a field has an impossible value; compare the line with that of an export");
    }
  }

  private static boolean isOfTheLine(MemoryException e) {
    return switch (e.code().kind()) {
      case CALLER, MISSING, CONFLICT, CORRUPT -> true;
      case BUSY -> e.code() == ErrorCode.QUOTA_EXCEEDED;
      case UNAVAILABLE, BUG -> false;
    };
  }

  void skip(long line, String reason) {
    reasons.put(line, "line %d: %s".formatted(line, reason));
  }

  ImportReport report() {
    return new ImportReport(
        imported,
        known,
        reasons.size(),
        List.copyOf(reasons.values().stream().limit(ImportReport.SHOWN).toList()));
  }
}
