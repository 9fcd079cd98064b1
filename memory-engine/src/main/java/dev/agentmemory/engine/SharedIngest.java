package dev.agentmemory.engine;

import dev.agentmemory.api.Ingest;
import dev.agentmemory.pipeline.ingest.Ingestor;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/// Takes events into a store that workspaces share: events get the name of theirs, receipts lose
/// it.
///
/// @param inner takes them into the store
/// @param owner the workspace of an event that has passed the limits; may refuse it
record SharedIngest(Ingestor inner, Function<Event, WorkspaceName> owner) implements Ingest {

  @Override
  public CompletableFuture<List<Receipt>> append(List<Event> events) {
    return inner
        .append(events, event -> event.in(owner.apply(event)))
        .thenApply(receipts -> receipts.stream().map(SharedIngest::plain).toList());
  }

  @Override
  public void refused(MemoryException why) {
    inner.refused(why);
  }

  @Override
  public void importing() {
    inner.importing();
  }

  private static Receipt plain(Receipt receipt) {
    return switch (receipt) {
      case Receipt.Created(var event) -> new Receipt.Created(event.plain());
      case Receipt.AlreadyKnown(var event) -> new Receipt.AlreadyKnown(event.plain());
      case Receipt.Erased(var event) -> new Receipt.Erased(event.plain());
      case Receipt.Conflict(var event) -> new Receipt.Conflict(event.plain());
      case Receipt.Refused refused -> refused;
    };
  }
}
