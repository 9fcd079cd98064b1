package dev.agentmemory.cli.agent.history;

import dev.agentmemory.store.Receipt;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Sends the events of an import to one workspace, in calls of many events. While one call waits for
/// the daemon's disk, the events of the next one are collected. Such calls need no stream, whose
/// transport takes longer to start than many an import takes.
///
/// A daemon that is too busy, or too old for such calls, gets the events over a stream.
///
/// Thread-safety: for use by one thread. Receipts come on another one.
final class ImportSender {

  /// Most events of a call.
  static final int MOST_EVENTS = 512;

  /// Of a call with more than one event; a character takes at most three bytes.
  static final int MOST_CHARS = 512 << 10;

  private final Call call;
  private final Supplier<Sending> streams;
  private final Consumer<Receipt> receipts;
  private List<Event> batch = new ArrayList<>();
  private long chars;
  private CompletableFuture<Void> sending = CompletableFuture.completedFuture(null);
  private Optional<Sending> stream = Optional.empty();

  /// One call for many events.
  interface Call {

    /// @return a receipt for each event, in order
    /// @throws MemoryException `QUEUE_FULL` or `UNSUPPORTED_FORMAT` when a stream has to be used
    List<Receipt> send(List<Event> events);
  }

  /// A stream of events, which gives their receipts away by itself.
  interface Sending extends AutoCloseable {

    void send(List<Event> events);

    /// Waits until every event is answered.
    @Override
    void close();
  }

  /// @param streams opens a stream
  /// @param receipts gets that of each event of a call, in order
  ImportSender(Call call, Supplier<Sending> streams, Consumer<Receipt> receipts) {
    this.call = call;
    this.streams = streams;
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

  /// Sends what was collected, after the call before has ended.
  ///
  /// @throws MemoryException when that call failed
  void flush() {
    MemoryException.join(sending);
    if (!batch.isEmpty()) {
      List<Event> full = batch;
      batch = new ArrayList<>();
      chars = 0;
      sending = CompletableFuture.runAsync(() -> deliver(full));
    }
  }

  private void deliver(List<Event> events) {
    if (stream.isEmpty()) {
      try {
        call.send(events).forEach(receipts);
        return;
      } catch (MemoryException e) {
        switch (e.code()) {
          case QUEUE_FULL, UNSUPPORTED_FORMAT -> stream = Optional.of(streams.get());
          default -> throw e;
        }
      }
    }
    stream.orElseThrow().send(events);
  }

  /// Waits until every event is answered.
  ///
  /// @throws MemoryException when a call or the stream failed
  void finish() {
    flush();
    MemoryException.join(sending);
    stream.ifPresent(Sending::close);
  }
}
