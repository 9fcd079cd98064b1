package dev.agentmemory.spi;

import dev.agentmemory.store.OutboxEntry;
import java.util.List;

/// A consumer of the outbox that derives data from it. It stores its cursor together with the
/// derived data, so that both are consistent after a crash.
public interface Projection {

  /// The consumer's name, under which its dead letters are kept; unique in the store.
  String name();

  /// Sequence of the last entry that was applied or passed over; 0 before the first. After a crash
  /// it may be an earlier one.
  long cursor();

  /// Applies entries and moves the cursor with them. If it throws, nothing was applied, or applying
  /// the same entries again has the same result.
  ///
  /// @param entries ascending, following the cursor, not empty
  /// @return how many of the first entries were applied: all, unless their events exceed the memory
  ///   limit; at least one
  int apply(List<OutboxEntry> entries);

  /// Moves the cursor over entries that cannot be applied: they cannot be read, or were parked.
  ///
  /// @param through sequence of the last one
  void passOver(long through);

  /// Does periodic maintenance, briefly. Called about once a second, with or without new entries.
  ///
  /// @return whether it should be called again soon
  default boolean maintain() {
    return false;
  }
}
