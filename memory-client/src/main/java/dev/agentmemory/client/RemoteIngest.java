package dev.agentmemory.client;

import dev.agentmemory.api.Ingest;
import dev.agentmemory.proto.IngestAck;
import dev.agentmemory.proto.IngestEventRequest;
import dev.agentmemory.proto.IngestEventResponse;
import dev.agentmemory.proto.IngestServiceGrpc;
import dev.agentmemory.proto.IngestStreamRequest;
import dev.agentmemory.proto.MemoryServiceGrpc;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.wire.EventMessages;
import dev.agentmemory.wire.IngestMessages;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/// Sends events to a daemon, each in its own call, or those of an import in one. Use
/// [MemoryClient#openStream] for many others.
record RemoteIngest(Calls calls, CallFailures failures) implements Ingest {

  private static final int AT_ONCE = 256;

  @Override
  public Receipt append(Event event) {
    try {
      return receipt(calls.call(MemoryServiceGrpc.getIngestEventMethod(), message(event)));
    } catch (MemoryException e) {
      if (e.code() == ErrorCode.EVENT_CONFLICT) {
        return new Receipt.Conflict(event.id());
      }
      throw e;
    }
  }

  @Override
  public CompletableFuture<List<Receipt>> append(List<Event> events) {
    return BoundedCalls.send(events, AT_ONCE, this::start);
  }

  private CompletableFuture<Receipt> start(Event event) {
    IngestEventRequest message;
    try {
      message = message(event);
    } catch (MemoryException e) {
      return CompletableFuture.completedFuture(refused(event.id(), e));
    }
    return calls
        .start(MemoryServiceGrpc.getIngestEventMethod(), message)
        .handle((answer, failure) ->
            failure == null ? receipt(answer) : refused(event.id(), failures.of(failure)));
  }

  private static IngestEventRequest message(Event event) {
    return IngestEventRequest.newBuilder()
        .setEvent(EventMessages.toWire(WellFormed.check(event)))
        .build();
  }

  /// See [MemoryClient#importEvents].
  List<Receipt> importEvents(List<Event> events) {
    var request = IngestStreamRequest.newBuilder().setImporting(true);
    Map<Integer, Receipt> refused = new HashMap<>();
    for (int i = 0; i < events.size(); i++) {
      Event event = events.get(i);
      try {
        request.addEvents(EventMessages.toWire(WellFormed.check(event)));
      } catch (MemoryException e) {
        refused.put(i, refused(event.id(), e));
      }
    }
    Iterator<IngestAck> acks = acks(request.build()).iterator();
    List<Receipt> receipts = new ArrayList<>();
    for (int i = 0; i < events.size(); i++) {
      Receipt own = refused.get(i);
      receipts.add(own == null ? IngestMessages.fromWire(events.get(i).id(), acks.next()) : own);
    }
    return receipts;
  }

  private List<IngestAck> acks(IngestStreamRequest request) {
    List<IngestAck> acks =
        calls.work(IngestServiceGrpc.getIngestBatchMethod(), request).getAcksList();
    if (acks.size() != request.getEventsCount()) {
      throw new MemoryException(
          ErrorCode.INTERNAL,
          "the daemon acknowledged %d of %d events; send them again"
              .formatted(acks.size(), request.getEventsCount()));
    }
    return acks;
  }

  private static Receipt receipt(IngestEventResponse answer) {
    EventId id = EventId.parse("event_id", answer.getEventId());
    if (answer.getErased()) {
      return new Receipt.Erased(id);
    }
    return answer.getCreated() ? new Receipt.Created(id) : new Receipt.AlreadyKnown(id);
  }

  private static Receipt refused(EventId id, MemoryException failure) {
    return switch (failure.code()) {
      case EVENT_CONFLICT -> new Receipt.Conflict(id);
      case INVALID_FIELD -> new Receipt.Refused(id, failure);
      default -> throw failure;
    };
  }
}
