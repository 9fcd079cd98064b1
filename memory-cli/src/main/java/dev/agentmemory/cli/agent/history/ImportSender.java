package dev.agentmemory.cli.agent.history;

import dev.agentmemory.store.Receipt;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/// Sends the events of an import to one workspace, in calls of many events, one call after the
/// other. Meanwhile further events are collected, and calls wait for their turn, so that neither
/// the reader nor the daemon waits for the other one at each call. A call needs no stream, whose
/// transport takes longer to start than many an import takes.
///
/// A daemon that is too busy, or too old for such calls, gets all later events over a stream.
///
/// Thread-safety: for use by one thread. Receipts come on another one.
final class ImportSender {

  /// Most events of a call.
  static final int MOST_EVENTS = 512;

  /// Of a call with more than one event; a character takes at most three bytes.
  static final int MOST_CHARS = 512 << 10;

  private final ImportConnection connection;
  private final Semaphore room;
  private final Consumer<Receipt> receipts;
  private List<Event> batch = new ArrayList<>();
  private long chars;

  /// Ends when every call so far has ended, or fails with the first that failed.
  private CompletableFuture<Void> sending = CompletableFuture.completedFuture(null);

  /// Set by the sending of a batch, which never overlaps with another one.
  private Optional<ImportConnection.EventStream> stream = Optional.empty();

  /// @param room for the characters of calls that have not ended, those of other senders included;
  ///   [#MOST_CHARS] at least
  /// @param receipts gets that of each event, in order
  ImportSender(ImportConnection connection, Semaphore room, Consumer<Receipt> receipts) {
    this.connection = connection;
    this.room = room;
    this.receipts = receipts;
  }

  /// The characters of an event's text and metadata.
  static long size(Event event) {
    long size = event.text().length();
    for (Map.Entry<String, String> entry : event.metadata().entrySet()) {
      size += entry.getKey().length() + entry.getValue().length();
    }
    return size;
  }

  /// Collects events, and sends those that are enough for a call.
  ///
  /// @throws MemoryException when an earlier call failed
  void send(List<Event> events) {
    for (Event event : events) {
      long size = size(event);
      if (batch.size() == MOST_EVENTS || (!batch.isEmpty() && chars + size > MOST_CHARS)) {
        flush();
      }
      batch.add(event);
      chars += size;
    }
  }

  /// Has what was collected sent after the calls before. Waits while there is no room for it.
  ///
  /// @throws MemoryException when an earlier call failed
  void flush() {
    if (batch.isEmpty()) {
      return;
    }
    if (sending.isCompletedExceptionally()) {
      MemoryException.join(sending);
    }
    List<Event> full = batch;
    // One event can be larger than a call.
    int size = (int) Math.min(chars, MOST_CHARS);
    batch = new ArrayList<>();
    chars = 0;
    room.acquireUninterruptibly(size);
    // After a call that failed this one is not made.
    sending = sending.thenRunAsync(() -> deliver(full)).whenComplete((_, _) -> room.release(size));
  }

  private void deliver(List<Event> events) {
    if (stream.isEmpty() && !called(events)) {
      stream = Optional.of(connection.stream(receipts));
    }
    stream.ifPresent(open -> open.send(events));
  }

  /// @return false when a stream has to be used
  private boolean called(List<Event> events) {
    try {
      connection.send(events).forEach(receipts);
      return true;
    } catch (MemoryException e) {
      return switch (e.code()) {
        case QUEUE_FULL, UNSUPPORTED_FORMAT -> false;
        default -> throw e;
      };
    }
  }

  /// Waits until every event is answered.
  ///
  /// @throws MemoryException when a call or the stream failed
  void finish() {
    flush();
    MemoryException.join(sending);
    stream.ifPresent(ImportConnection.EventStream::close);
    stream = Optional.empty();
  }
}
