package dev.agentmemory.api;

import dev.agentmemory.store.Receipt;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/// Takes events.
public interface Ingest {

  /// Stores events. It does not wait for the disk. What hangs on the future may run on a thread of
  /// the store or of the transport and must be short.
  ///
  /// @return one receipt for each event, in order, once they are durable; an event whose id is
  ///   known with other content gets a [Receipt.Conflict]
  /// @throws dev.agentmemory.types.MemoryException `INVALID_FIELD` naming `event.<field>` when one
  ///   is refused, `QUEUE_FULL` when too many wait; none of them is stored then
  CompletableFuture<List<Receipt>> append(List<Event> events);

  /// Stores an event and waits until it is durable.
  ///
  /// @throws dev.agentmemory.types.MemoryException as [#append(List)] does
  default Receipt append(Event event) {
    try {
      return append(List.of(event)).join().getFirst();
    } catch (CompletionException e) {
      throw e.getCause() instanceof MemoryException own ? own : e;
    }
  }
}
