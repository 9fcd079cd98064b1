package dev.agentmemory.api.forget;

import java.time.Instant;
import java.util.Map;

/// What was erased, or would be. It has no content: topics are tags of memories.
///
/// @param id of the erasure; empty for a dry run, and when there was nothing to erase
/// @param time when it was decided
/// @param reason as it was given
/// @param events how many
/// @param sessions that have no event left
/// @param memories curated ones, whatever their state
/// @param nodes of the table of contents that were written again, or retired; 0 for a dry run
/// @param records of conversations and scratchpads; 0 for a dry run
/// @param topics memories by topic
/// @param digest keyed digest of what was erased, by which two receipts can be compared; empty for
///   a dry run
/// @param pending whether files may still contain bytes of it: compaction goes on in the background
public record ForgetReceipt(
    String id,
    Instant time,
    String reason,
    long events,
    long sessions,
    long memories,
    long nodes,
    long records,
    Map<String, Long> topics,
    String digest,
    boolean pending) {

  public ForgetReceipt {
    topics = Map.copyOf(topics);
  }

  /// Whether nothing was there to erase.
  public boolean isEmpty() {
    return events == 0 && memories == 0 && records == 0;
  }

  /// The receipt once nothing is left in the files.
  public ForgetReceipt finished() {
    return new ForgetReceipt(
        id,
        time,
        reason,
        events,
        sessions,
        memories,
        nodes,
        records,
        topics,
        digest,
        /* pending= */ false);
  }
}
