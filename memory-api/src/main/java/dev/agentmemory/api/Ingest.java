package dev.agentmemory.api;

import dev.agentmemory.store.Receipt;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/// Takes events.
public interface Ingest {

  /// Stores those events that can be stored. It does not wait for the disk. What hangs on the
  /// future may run on a thread of the store or of the transport and must be short.
  ///
  /// In this process the events that pass are one commit: all or none of them are stored. Over gRPC
  /// each event is a call of its own, many of them at once: when the whole fails some may be
  /// stored, and they may be stored in any order. Whoever sends the same events again gets
  /// [Receipt.AlreadyKnown] for those. How events of one time come back is decided by their
  /// timestamps and positions only: an event without a position gets one when it is stored.
  ///
  /// @return one receipt for each event, in order, once those that are stored are durable: an event
  ///   with a field that has no usable value gets a [Receipt.Refused], one whose id is known with
  ///   other content a [Receipt.Conflict]. It fails with `QUEUE_FULL` when too many events wait
  /// @throws MemoryException `QUEUE_FULL` when that is known at once
  CompletableFuture<List<Receipt>> append(List<Event> events);

  /// Stores an event without waiting for the disk.
  ///
  /// @return completes as [#append(List)] does, but fails with `INVALID_FIELD` naming
  ///   `event.<field>` when the event is refused
  default CompletableFuture<Receipt> appendAsync(Event event) {
    return append(List.of(event))
        .thenApply(receipts -> {
          if (receipts.getFirst() instanceof Receipt.Refused(var _, MemoryException why)) {
            throw why;
          }
          return receipts.getFirst();
        });
  }

  /// Stores an event and waits until it is durable.
  ///
  /// @throws MemoryException `INVALID_FIELD` naming `event.<field>` when it is refused,
  ///   `QUEUE_FULL` when too many events wait
  default Receipt append(Event event) {
    try {
      return appendAsync(event).join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof MemoryException own ? own : e;
    }
  }

  /// Tells of an event that a front end refused because it could not become an [Event], so that
  /// [Admin#status] counts it. Only the memory in this process counts; a client has nothing to
  /// tell.
  default void refused(MemoryException why) {}
}
