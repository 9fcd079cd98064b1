package dev.agentmemory.api.upkeep;

import java.util.List;
import java.util.stream.Stream;

/// What an import did.
///
/// @param imported stored by it
/// @param known already there with the same content
/// @param skipped lines that were not imported
/// @param reasons why, for the first of them: `line <n>: <reason>`; at most [#SHOWN]
public record ImportReport(long imported, long known, long skipped, List<String> reasons) {

  public static final int SHOWN = 100;

  public static final ImportReport NONE = new ImportReport(0, 0, 0, List.of());

  public ImportReport {
    reasons = List.copyOf(reasons);
  }

  /// The sum of two reports.
  public ImportReport plus(ImportReport other) {
    return new ImportReport(
        imported + other.imported,
        known + other.known,
        skipped + other.skipped,
        Stream.concat(reasons.stream(), other.reasons.stream()).limit(SHOWN).toList());
  }
}
