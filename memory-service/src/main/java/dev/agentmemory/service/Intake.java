package dev.agentmemory.service;

import dev.agentmemory.pipeline.Ingestor;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// The door through which events come in. Neither method blocks. It is an interface because a full
/// or slow door is hard to have in a test otherwise.
public interface Intake {

  /// The door as a daemon has it.
  static Intake of(Ingestor ingestor) {
    return new Intake() {
      @Override
      public void check(Event event) {
        ingestor.check(event);
      }

      @Override
      public CompletableFuture<List<Receipt>> accept(List<Event> events) {
        return ingestor.accept(events);
      }

      @Override
      public void refused(MemoryException why) {
        ingestor.refused(why);
      }

      @Override
      public void refused(Receipt.Conflict why) {
        ingestor.refused(why);
      }
    };
  }

  /// @throws dev.agentmemory.types.MemoryException `INVALID_FIELD` naming `event.<field>`
  void check(Event event);

  /// @return one receipt for each event, in order, once they are durable
  /// @throws dev.agentmemory.types.MemoryException `INVALID_FIELD` or `QUEUE_FULL`, at once
  CompletableFuture<List<Receipt>> accept(List<Event> events);

  /// Hears that an event was refused because of a field, so that operators can be told.
  default void refused(MemoryException why) {}

  /// Hears that an event was refused because its id is taken.
  default void refused(Receipt.Conflict why) {}
}
