package dev.agentmemory.store;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Reads the outbox and the dead letters.
public interface OutboxReader {

  /// Entries behind a sequence, ascending, without gaps as long as nothing behind it was trimmed.
  List<OutboxEntry> entries(long after, int limit);

  /// The highest sequence given out, also when its entry was trimmed; 0 before the first. Cheap
  /// enough to ask with every batch.
  long head();

  /// Waits until an entry behind the sequence exists.
  ///
  /// @return false on timeout, or if the store was closed
  boolean await(long after, Duration atMost) throws InterruptedException;

  /// Parked entries of all consumers by consumer and sequence.
  List<DeadLetter> deadLetters(Optional<DeadLetter> after, int limit);
}
