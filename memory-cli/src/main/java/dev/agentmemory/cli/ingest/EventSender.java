package dev.agentmemory.cli.ingest;

import dev.agentmemory.client.IngestStream;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Sends events in order. The first few are sent by single calls over a connection that is made in
/// a few milliseconds. All others are sent over a stream: its transport takes half a second to
/// start, and then has a thousand times the throughput.
///
/// Thread-safety: for use by one thread.
public final class EventSender implements AutoCloseable {

  /// Most events that are sent by single calls.
  public static final int FEW = 64;

  private final MemoryClient client;
  private final Consumer<Receipt> receipts;
  private Optional<IngestStream> stream = Optional.empty();
  private int single;

  /// @param receipts gets that of each event, in order; of a stream on the transport's thread
  public EventSender(MemoryClient client, Consumer<Receipt> receipts) {
    this.client = client;
    this.receipts = receipts;
  }

  /// Sends events. Events that are sent by single calls are answered when this returns.
  ///
  /// @param more whether further events are available, so that a stream pays off
  /// @throws MemoryException when the daemon does not answer or refuses more than an event
  public void send(List<Event> events, boolean more) {
    boolean few = stream.isEmpty() && single + events.size() <= FEW && !(more && manyOf(events));
    int sent = 0;
    while (few && sent < events.size()) {
      few = sendOne(events.get(sent));
      sent += few ? 1 : 0;
    }
    if (sent < events.size()) {
      stream().send(events.subList(sent, events.size()));
    }
  }

  private boolean manyOf(List<Event> events) {
    return single + events.size() == FEW;
  }

  /// @return false when the daemon is too busy and the event was not sent; a stream waits instead
  private boolean sendOne(Event event) {
    Receipt receipt;
    try {
      receipt = client.ingest().append(event);
    } catch (MemoryException e) {
      switch (e.code()) {
        case INVALID_FIELD -> receipt = new Receipt.Refused(event.id(), e);
        case QUEUE_FULL -> {
          return false;
        }
        default -> throw e;
      }
    }
    single++;
    receipts.accept(receipt);
    return true;
  }

  private IngestStream stream() {
    if (stream.isEmpty()) {
      stream = Optional.of(client.openStream(receipts));
    }
    return stream.get();
  }

  /// Call this at the end: a run without events has not connected to the daemon yet.
  ///
  /// @throws MemoryException `UNREACHABLE` when no daemon answers
  void finish() {
    if (stream.isEmpty() && single == 0) {
      client.ping();
    }
  }

  /// Waits until every event that was sent is answered.
  ///
  /// @throws MemoryException when the stream failed
  @Override
  public void close() {
    stream.ifPresent(IngestStream::close);
  }
}
