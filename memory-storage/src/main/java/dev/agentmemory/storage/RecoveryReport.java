package dev.agentmemory.storage;

import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// What a recovery brought back and what it did not.
///
/// @param events that are in the recovered store
/// @param missing how many events are known to be missing; those of which nothing is left but a gap
///   in the sequence are in `sequences` only
/// @param sessions that lack events, 1,000 at most
/// @param sequences of the outbox that are missing, as ranges, 1,000 at most; some of them may have
///   been trimmed
/// @param more what these two lists leave out
/// @param damaged a sentence for each stretch of a file that cannot be read
/// @param rebuilds whether the table of contents was dropped and is made anew from the events
/// @param headerLost whether zone and key of the store had to be taken from elsewhere
public record RecoveryReport(
    long events,
    long missing,
    List<Loss> sessions,
    List<Range> sequences,
    More more,
    List<String> damaged,
    boolean rebuilds,
    boolean headerLost) {

  /// How many entries of the lists are kept.
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

  /// What has no place in the lists.
  ///
  /// @param sessions how many others lack events
  /// @param ranges how many other ranges of sequences are missing
  /// @param sequences how many sequences are in these ranges
  public record More(long sessions, long ranges, long sequences) {}

  /// How many sequences are missing.
  public long missingSequences() {
    return more.sequences()
        + sequences.stream().mapToLong(range -> range.to() - range.from() + 1).sum();
  }

  /// Whether everything that is known to have been there was brought back.
  public boolean isWhole() {
    return missing == 0 && sequences.isEmpty();
  }
}
