package dev.agentmemory.api.upkeep;

import java.util.List;

/// What a masking of stored secrets changed, or would change.
///
/// @param events number of events
/// @param digests number of versions of nodes of the table of contents, and of grips
/// @param memories number of rows of memories, of their former states and of the log of upkeep
/// @param records number of rows of conversations, channels, scratchpads and deletions
/// @param sessionsLeft number of sessions whose id has a secret; ids stay as they are
/// @param kinds the same by the kind of secret; a row with several kinds counts for each
public record ScrubReport(
    long events, long digests, long memories, long records, long sessionsLeft, List<Kind> kinds) {

  public ScrubReport {
    kinds = List.copyOf(kinds);
  }

  /// The rows with secrets of one kind.
  ///
  /// @param name as the masks have it
  public record Kind(String name, long events, long digests, long memories, long records) {}

  /// Whether no row has a secret.
  public boolean isEmpty() {
    return events + digests + memories + records == 0;
  }
}
