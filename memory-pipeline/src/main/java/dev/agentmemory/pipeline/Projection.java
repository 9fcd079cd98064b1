package dev.agentmemory.pipeline;

import dev.agentmemory.store.OutboxEntry;
import java.util.List;

/// What follows the outbox and keeps something in line with it.
public interface Projection {

  /// The consumer's name; its cursor is the checkpoint of that name.
  String name();

  /// Applies entries and stores the cursor in the same commit. When it throws, nothing was applied.
  ///
  /// @param entries ascending, following the stored cursor, not empty
  /// @return how many were applied, the first ones: all, unless what they stand for is too much to
  ///   be held at once; at least one
  int apply(List<OutboxEntry> entries);
}
