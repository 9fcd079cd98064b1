package dev.agentmemory.daemon;

import dev.agentmemory.service.Intake;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/// The door into a store that workspaces share: events get the name of theirs, answers lose it.
///
/// @param inner the door of the store
/// @param owner the workspace of an event; may refuse it
record SharedIntake(Intake inner, Function<Event, WorkspaceName> owner) implements Intake {

  @Override
  public void check(Event event) {
    inner.check(event);
    var _ = owner.apply(event);
  }

  @Override
  public CompletableFuture<List<Receipt>> accept(List<Event> events) {
    List<Event> named = events.stream().map(event -> event.in(owner.apply(event))).toList();
    return inner.accept(named).thenApply(SharedIntake::plain);
  }

  @Override
  public void refused(MemoryException why) {
    inner.refused(why);
  }

  @Override
  public void refused(Receipt.Conflict why) {
    inner.refused(why);
  }

  private static List<Receipt> plain(List<Receipt> receipts) {
    return receipts.stream().map(SharedIntake::plain).toList();
  }

  private static Receipt plain(Receipt receipt) {
    return switch (receipt) {
      case Receipt.Created(var event) -> new Receipt.Created(event.plain());
      case Receipt.AlreadyKnown(var event) -> new Receipt.AlreadyKnown(event.plain());
      case Receipt.Conflict(var event) -> new Receipt.Conflict(event.plain());
    };
  }
}
