package dev.agentmemory.spi;

import dev.agentmemory.store.OutboxEntry;
import java.util.List;

/// What follows the outbox and keeps something in line with it. It keeps its own cursor, together
/// with what it has made of the entries, so that both are of the same moment after a crash.
public interface Projection {

  /// The consumer's name, under which its dead letters are kept; unique in the store.
  String name();

  /// Sequence of the last entry that was applied or passed over; 0 before the first. After a crash
  /// it may be an earlier one.
  long cursor();

  /// Applies entries and moves the cursor with them. When it throws, nothing was applied, or
  /// applying the same entries again ends the same.
  ///
  /// @param entries ascending, following the cursor, not empty
  /// @return how many were applied, the first ones: all, unless what they stand for is too much to
  ///   be held at once; at least one
  int apply(List<OutboxEntry> entries);

  /// Moves the cursor over entries that cannot be applied: they cannot be read, or were parked.
  ///
  /// @param through sequence of the last one
  void passOver(long through);

  /// A short turn for what has to be done from time to time, about once a second, whether there
  /// were entries or not.
  ///
  /// @return whether another turn should come soon
  default boolean tend() {
    return false;
  }
}
