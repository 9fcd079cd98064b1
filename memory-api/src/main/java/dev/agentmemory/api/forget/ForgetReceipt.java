package dev.agentmemory.api.forget;

import java.time.Instant;
import java.util.List;
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
/// @param digest of the ids of what was erased, keyed with a secret of the store, by which two
///   receipts can be compared; empty for a dry run
/// @param pending whether files may still contain bytes of it: compaction goes on in the background
/// @param backups those that were made before and still have it, in all directories that the daemon
///   has backed up into: directory and id of each. A directory that cannot be read now is named in
///   a sentence
/// @param files outside the store that were deleted, or written again without it: what hooks have
///   left, and what is known of transcripts
/// @param left what outside the store may still have some of it, and how to remove that, a sentence
///   each; backups are not among them
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
    boolean pending,
    List<String> backups,
    long files,
    List<String> left) {

  public ForgetReceipt {
    topics = Map.copyOf(topics);
    backups = List.copyOf(backups);
    left = List.copyOf(left);
  }

  /// What would be erased.
  public static ForgetReceipt planned(
      Instant time,
      String reason,
      long events,
      long sessions,
      long memories,
      Map<String, Long> topics) {
    return new ForgetReceipt(
        "",
        time,
        reason,
        events,
        sessions,
        memories,
        0,
        0,
        topics,
        "",
        /* pending= */ false,
        List.of(),
        0,
        List.of());
  }

  /// Whether nothing was there to erase.
  public boolean isEmpty() {
    return events == 0 && memories == 0 && records == 0 && files == 0;
  }

  /// The receipt of what will be erased, whatever happens.
  ///
  /// @param affected how many nodes say or have said what the events say
  public ForgetReceipt decided(String erasure, long affected, String of) {
    return new ForgetReceipt(
        erasure,
        time,
        reason,
        events,
        sessions,
        memories,
        affected,
        records,
        topics,
        of,
        /* pending= */ true,
        backups,
        files,
        left);
  }

  /// @param affected how many nodes say what the events say
  public ForgetReceipt withNodes(long affected) {
    return new ForgetReceipt(
        id, time, reason, events, sessions, memories, affected, records, topics, digest, pending,
        backups, files, left);
  }

  /// @param changed further records
  public ForgetReceipt plusRecords(long changed) {
    return new ForgetReceipt(
        id,
        time,
        reason,
        events,
        sessions,
        memories,
        nodes,
        records + changed,
        topics,
        digest,
        pending,
        backups,
        files,
        left);
  }

  public ForgetReceipt withBackups(List<String> affected) {
    return new ForgetReceipt(
        id, time, reason, events, sessions, memories, nodes, records, topics, digest, pending,
        affected, files, left);
  }

  /// @param removed from files outside the store
  public ForgetReceipt withFiles(ConversationFiles.Removed removed) {
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
        pending,
        backups,
        removed.files(),
        removed.left());
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
        /* pending= */ false,
        backups,
        files,
        left);
  }
}
