package dev.agentmemory.cli.agent.history;

import dev.agentmemory.store.Receipt;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/// Records what an import sends to a workspace.
final class RecordedImports implements ImportConnection {

  final List<List<Event>> calls = new CopyOnWriteArrayList<>();
  final List<Event> streamed = new CopyOnWriteArrayList<>();
  volatile Optional<ErrorCode> failure = Optional.empty();
  volatile boolean streamClosed;

  /// Is done in each call.
  volatile Runnable during = () -> {};

  volatile boolean closed;

  @Override
  public List<Receipt> send(List<Event> events) {
    calls.add(events);
    during.run();
    failure.ifPresent(code -> {
      throw new MemoryException(code, "not now");
    });
    return events.stream().<Receipt>map(event -> new Receipt.Created(event.id())).toList();
  }

  @Override
  public EventStream stream(Consumer<Receipt> receipts) {
    return new EventStream() {
      @Override
      public void send(List<Event> events) {
        streamed.addAll(events);
        events.forEach(event -> receipts.accept(new Receipt.AlreadyKnown(event.id())));
      }

      @Override
      public void close() {
        streamClosed = true;
      }
    };
  }

  @Override
  public void close() {
    closed = true;
  }
}
