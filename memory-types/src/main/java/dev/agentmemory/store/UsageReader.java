package dev.agentmemory.store;

import dev.agentmemory.types.ModelCall;
import java.time.Instant;
import java.util.function.Consumer;

/// Reads the ledger of calls to models.
public interface UsageReader {

  /// Gives every call of a time, the oldest first, one after the other: never all of them are held.
  /// Calls that are recorded meanwhile may be among them or not.
  ///
  /// @param from first time, included
  /// @param until last time, not included
  /// @param each run on the calling thread; what it throws ends the reading
  void modelCalls(Instant from, Instant until, Consumer<ModelCall> each);
}
