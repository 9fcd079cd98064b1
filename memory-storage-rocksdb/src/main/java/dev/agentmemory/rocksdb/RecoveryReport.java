package dev.agentmemory.rocksdb;

import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// What a recovery restored and what it did not.
///
/// @param events number of events in the recovered store
/// @param missing how many events are known to be missing; an event of which only a gap in the
///   sequence is left is counted in `sequences` only
/// @param sessions sessions that lack events, 1,000 at most
/// @param sequences missing sequences of the outbox, as ranges, 1,000 at most; some of them may
///   have been trimmed
/// @param more how much these two lists leave out
/// @param records what became of the rows of modules, such as curated memories
/// @param damaged a sentence for each range of a file that cannot be read
/// @param rebuilds whether the table of contents was dropped and is built again from the events
/// @param headerLost whether zone and key of the store had to be taken from another source
public record RecoveryReport(
    long events,
    long missing,
    List<Loss> sessions,
    List<Range> sequences,
    More more,
    Records records,
    List<String> damaged,
    boolean rebuilds,
    boolean headerLost) {

  /// Most entries that each list keeps.
  static final int MOST = 1000;

  public RecoveryReport {
    sessions = List.copyOf(sessions);
    sequences = List.copyOf(sequences);
    damaged = List.copyOf(damaged);
  }

  /// Events of a session that are missing.
  ///
  /// @param first time of the first one; empty when unknown
  /// @param last time of the last one; empty when unknown
  public record Loss(
      SessionId session, long events, Optional<Instant> first, Optional<Instant> last) {}

  /// Sequences from one to another, both included.
  public record Range(long from, long to) {}

  /// What the lists leave out.
  ///
  /// @param sessions number of other sessions that lack events
  /// @param ranges number of other ranges of missing sequences
  /// @param sequences number of sequences in these ranges
  public record More(long sessions, long ranges, long sequences) {}

  /// The rows of modules. What is missing is counted here; the ranges that cannot be read are in
  /// the list of damaged ranges.
  ///
  /// @param restored number of rows in the recovered store
  /// @param missing how many rows are missing
  /// @param returned how many rows were restored beyond those that were counted; they may have been
  ///   deleted
  /// @param uncertain how many of the restored rows may have had a newer state
  /// @param missingChanges how many changes of rows are missing in the logs
  public record Records(
      long restored, long missing, long returned, long uncertain, long missingChanges) {

    static final Records NONE = new Records(0, 0, 0, 0, 0);

    /// Whether all rows are in their last known state.
    public boolean isWhole() {
      return missing == 0 && returned == 0 && uncertain == 0 && missingChanges == 0;
    }
  }

  /// How many sequences are missing.
  public long missingSequences() {
    return more.sequences()
        + sequences.stream().mapToLong(range -> range.to() - range.from() + 1).sum();
  }

  /// Whether everything that is known to have existed was restored.
  public boolean isWhole() {
    return hasAllEvents() && records.isWhole();
  }

  /// Whether every event that is known to have existed was restored.
  public boolean hasAllEvents() {
    return missing == 0 && sequences.isEmpty();
  }
}
