package dev.agentmemory.store;

import dev.agentmemory.types.ModelCall;
import java.time.Instant;
import java.util.function.Consumer;

/// Reads the ledger of calls to models.
public interface UsageReader {

  /// Passes every call of a time range to a consumer, oldest first, without holding all of them.
  /// Calls that are recorded meanwhile may be included or not.
  ///
  /// @param from first time, included
  /// @param until last time, not included
  /// @param each run on the calling thread; an exception from it ends the reading
  void modelCalls(Instant from, Instant until, Consumer<ModelCall> each);
}
