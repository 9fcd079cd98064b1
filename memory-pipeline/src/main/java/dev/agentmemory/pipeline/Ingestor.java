package dev.agentmemory.pipeline;

import dev.agentmemory.store.Receipt;
import dev.agentmemory.types.Event;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// The door through which events come in.
public final class Ingestor {

  public void check(Event event) {}

  public CompletableFuture<List<Receipt>> accept(List<Event> events) {
    return CompletableFuture.completedFuture(List.of());
  }
}
