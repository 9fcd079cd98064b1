package dev.agentmemory.api;

import dev.agentmemory.store.Receipt;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// Stores events.
public interface Ingest {

  /// Stores the valid events. It does not wait for the disk. Callbacks of the future may run on a
  /// thread of the store or of the transport and must be short.
  ///
  /// In this process the valid events are one commit: all or none of them are stored. Over gRPC
  /// each event is a concurrent call of its own: if the whole fails, some events may be stored, and
  /// they may be stored in any order. A client that sends the same events again gets
  /// [Receipt.AlreadyKnown] for those. The order of events is decided by their timestamps and
  /// positions only: an event without a position gets one when it is stored.
  ///
  /// @return one receipt for each event, in order, once those that are stored are durable: an event
  ///   with a field that has no usable value gets a [Receipt.Refused], one whose id is known with
  ///   other content a [Receipt.Conflict]. It fails with `QUEUE_FULL` when too many events wait,
  ///   and with `CORRUPT_RECORD` when one may be in a record that cannot be read
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
    return MemoryException.join(appendAsync(event));
  }

  /// Reports an event that a front end refused because it could not be converted to an [Event], so
  /// that [Admin#status] counts it. Only the in-process memory counts; a client reports nothing.
  default void refused(MemoryException why) {}

  /// Reports that the next batch belongs to an import: background work of the workspace waits for a
  /// while, so that the import is not slowed down. Only the in-process memory does that.
  default void importing() {}
}
