package dev.agentmemory.service;

import dev.agentmemory.store.Receipt;
import dev.agentmemory.types.Event;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// The door through which events come in. Neither method blocks.
public interface Intake {

  /// @throws dev.agentmemory.types.MemoryException `INVALID_FIELD` naming `event.<field>`
  void check(Event event);

  /// @return one receipt for each event, in order, once they are durable
  /// @throws dev.agentmemory.types.MemoryException `INVALID_FIELD` or `QUEUE_FULL`, at once
  CompletableFuture<List<Receipt>> accept(List<Event> events);
}
