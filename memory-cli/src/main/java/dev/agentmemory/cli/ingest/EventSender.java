package dev.agentmemory.cli.ingest;

import dev.agentmemory.api.StreamAck;
import dev.agentmemory.api.StreamAck.Outcome;
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
  private final Consumer<StreamAck> acks;
  private Optional<IngestStream> stream = Optional.empty();
  private int single;

  /// @param acks receives the answer to each event, in order; for a stream on the transport's
  ///   thread
  EventSender(MemoryClient client, Consumer<StreamAck> acks) {
    this.client = client;
    this.acks = acks;
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
    StreamAck ack;
    try {
      ack = ack(client.ingest().append(event));
    } catch (MemoryException e) {
      switch (e.code()) {
        case INVALID_FIELD -> ack = refusal(Outcome.INVALID, e);
        case QUEUE_FULL -> {
          return false;
        }
        default -> throw e;
      }
    }
    single++;
    acks.accept(ack);
    return true;
  }

  private StreamAck ack(Receipt receipt) {
    return switch (receipt) {
      case Receipt.Created _ ->
          new StreamAck(single, Outcome.CREATED, Optional.empty(), Optional.empty());
      case Receipt.AlreadyKnown _ ->
          new StreamAck(single, Outcome.ALREADY_KNOWN, Optional.empty(), Optional.empty());
      case Receipt.Conflict(var id) ->
          refusal(
              Outcome.CONFLICT,
              MemoryException.invalid(
                  "event.event_id",
                  "event "
                      + id
                      + " is already stored with different content;"
                      + " send this event with a different id"));
      case Receipt.Refused(var _, var why) -> refusal(Outcome.INVALID, why);
    };
  }

  private StreamAck refusal(Outcome outcome, MemoryException reason) {
    return new StreamAck(
        single, outcome, Optional.of(String.valueOf(reason.getMessage())), reason.field());
  }

  private IngestStream stream() {
    if (stream.isEmpty()) {
      stream = Optional.of(client.openStream(acks));
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
