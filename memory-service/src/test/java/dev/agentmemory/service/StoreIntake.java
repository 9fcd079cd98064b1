package dev.agentmemory.service;

import dev.agentmemory.store.Commit;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// Hands events straight to a store; refuses those whose text is `refuse me`.
record StoreIntake(MemoryStore store) implements Intake {

  @Override
  public void check(Event event) {
    if (event.text().equals("refuse me")) {
      throw MemoryException.invalid("event.timestamp_ms", "is too far ahead");
    }
  }

  @Override
  public CompletableFuture<List<Receipt>> accept(List<Event> events) {
    events.forEach(this::check);
    return store.submit(Commit.append(events));
  }
}
