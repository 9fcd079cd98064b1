package dev.agentmemory.cli.agent.history;

import dev.agentmemory.client.IngestStream;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import java.util.List;
import java.util.function.Consumer;

/// How events of an import reach one workspace.
interface ImportConnection extends AutoCloseable {

  /// Sends events in one call and waits until those that are new are durable.
  ///
  /// @return a receipt for each event, in order
  /// @throws MemoryException `QUEUE_FULL` or `UNSUPPORTED_FORMAT` when none was stored and a stream
  ///   has to be used
  List<Receipt> send(List<Event> events);

  /// @param receipts gets that of each event, in order, on another thread
  EventStream stream(Consumer<Receipt> receipts);

  @Override
  void close();

  /// A stream of events.
  interface EventStream extends AutoCloseable {

    /// Sends events. Waits while the daemon accepts no more.
    void send(List<Event> events);

    /// Waits until every event is answered.
    @Override
    void close();
  }

  static ImportConnection of(MemoryClient client) {
    return new OfClient(client);
  }

  /// @param client is closed with it
  record OfClient(MemoryClient client) implements ImportConnection {

    @Override
    public List<Receipt> send(List<Event> events) {
      return client.importEvents(events);
    }

    @Override
    public EventStream stream(Consumer<Receipt> receipts) {
      return new OfStream(client.openStream(receipts));
    }

    @Override
    public void close() {
      client.close();
    }
  }

  /// A stream of a client.
  record OfStream(IngestStream stream) implements EventStream {

    @Override
    public void send(List<Event> events) {
      var _ = stream.send(events);
    }

    @Override
    public void close() {
      stream.close();
    }
  }
}
