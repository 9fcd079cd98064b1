package dev.agentmemory.client;

import dev.agentmemory.proto.IngestServiceGrpc;
import dev.agentmemory.proto.IngestStreamRequest;
import dev.agentmemory.proto.IngestStreamResponse;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.wire.EventMessages;
import dev.agentmemory.wire.IngestMessages;
import io.grpc.Channel;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Sends many events over one stream. Answers are delivered on the transport's thread, so their
/// handling must be short and must not send.
///
/// After a failure of the stream, events without an answer may or may not be stored. Send them
/// again over a new stream; events that are known already are answered as such.
///
/// Thread-safety: for use by one sending thread.
public final class IngestStream implements AutoCloseable {

  private static final int MOST_EVENTS = 1000;
  private static final int MOST_BYTES = 1 << 20;

  private final Consumer<Receipt> receipts;
  private final CallFailures failures;
  private final Duration silence;
  private final Mutex lock = new Mutex();
  private final Condition changed = lock.newCondition();
  private final ClientCallStreamObserver<IngestStreamRequest> requests;

  // Guarded by the lock.
  private final Queue<EventId> unanswered = new ArrayDeque<>();
  private long sent;
  private long answered;
  private boolean halfClosed;
  private boolean over;
  private @Nullable MemoryException failure;

  IngestStream(
      Channel channel, Consumer<Receipt> receipts, CallFailures failures, Duration silence) {
    this.receipts = receipts;
    this.failures = failures;
    this.silence = silence;
    var incoming = new Incoming();
    this.requests =
        (ClientCallStreamObserver<IngestStreamRequest>)
            IngestServiceGrpc.newStub(channel).ingestStream(incoming);
  }

  /// Sends events. Waits while the daemon accepts no more.
  ///
  /// @return the stream's position of the first of them
  /// @throws MemoryException when the stream has failed or no answer came for too long;
  ///   `INVALID_FIELD` when a text cannot be written as UTF-8, and then none of them was sent
  public long send(List<Event> events) {
    events.forEach(WellFormed::check);
    long first = sent();
    var message = IngestStreamRequest.newBuilder();
    int bytes = 0;
    var ids = new ArrayList<EventId>();
    for (Event event : events) {
      var wire = EventMessages.toWire(event);
      int size = wire.getSerializedSize();
      if (message.getEventsCount() == MOST_EVENTS
          || (message.getEventsCount() > 0 && bytes + size > MOST_BYTES)) {
        send(message.build(), ids);
        message.clear();
        ids.clear();
        bytes = 0;
      }
      message.addEvents(wire);
      ids.add(event.id());
      bytes += size;
    }
    if (message.getEventsCount() > 0) {
      send(message.build(), ids);
    }
    return first;
  }

  private void send(IngestStreamRequest message, List<EventId> ids) {
    await(requests::isReady);
    try (var _ = lock.hold()) {
      sent += ids.size();
      unanswered.addAll(ids);
    }
    requests.onNext(message);
  }

  /// How many events were sent.
  public long sent() {
    try (var _ = lock.hold()) {
      return sent;
    }
  }

  /// How many events were answered, all from position 0 on.
  public long answered() {
    try (var _ = lock.hold()) {
      return answered;
    }
  }

  private EventId nextUnanswered() {
    try (var _ = lock.hold()) {
      EventId next = unanswered.poll();
      if (next == null) {
        throw new MemoryException(
            ErrorCode.INTERNAL, "the daemon acknowledged more events than were sent");
      }
      return next;
    }
  }

  /// Waits until every event that was sent is answered, then ends the stream.
  ///
  /// @throws MemoryException when the stream failed before
  @Override
  public void close() {
    if (end()) {
      requests.onCompleted();
    }
    await(() -> over);
  }

  private boolean end() {
    try (var _ = lock.hold()) {
      boolean first = !halfClosed && !over;
      halfClosed = true;
      return first;
    }
  }

  /// Waits for a condition as long as answers arrive.
  private void await(BooleanSupplier condition) {
    try (var _ = lock.hold()) {
      long seen = answered;
      long nanos = silence.toNanos();
      while (failure == null && !condition.getAsBoolean()) {
        nanos = changed.awaitNanos(nanos);
        if (answered != seen) {
          seen = answered;
          nanos = silence.toNanos();
        } else if (nanos <= 0) {
          failure = silent();
          requests.cancel("no response for " + silence, null);
        }
      }
      if (failure != null) {
        // A new exception each time: that of `close` is added to that of `send` as suppressed, and
        // an exception cannot suppress itself.
        throw new MemoryException(failure.code(), String.valueOf(failure.getMessage()), failure);
      }
    } catch (InterruptedException e) {
      requests.cancel("interrupted", e);
      Thread.currentThread().interrupt();
      throw new MemoryException(ErrorCode.CLOSED, "interrupted while the stream was open", e);
    }
  }

  private MemoryException silent() {
    return new MemoryException(
        ErrorCode.UNREACHABLE,
        "no acknowledgement from the daemon for "
            + TimeUnit.MILLISECONDS.toSeconds(silence.toMillis())
            + " s; see `memory status`");
  }

  private final class Incoming
      implements ClientResponseObserver<IngestStreamRequest, IngestStreamResponse> {

    @Override
    public void beforeStart(ClientCallStreamObserver<IngestStreamRequest> call) {
      call.setOnReadyHandler(() -> change(() -> {}));
    }

    @Override
    public void onNext(IngestStreamResponse response) {
      response
          .getAcksList()
          .forEach(ack -> receipts.accept(IngestMessages.fromWire(nextUnanswered(), ack)));
      change(() -> answered += response.getAcksCount());
    }

    @Override
    public void onError(Throwable cause) {
      change(() -> {
        over = true;
        failure = failure == null ? failures.of(cause) : failure;
      });
    }

    @Override
    public void onCompleted() {
      change(() -> {
        over = true;
        failure = answered == sent ? failure : unanswered();
      });
    }

    private MemoryException unanswered() {
      return new MemoryException(
          ErrorCode.INTERNAL,
          "the daemon closed the stream before it acknowledged all events; send"
              + " the unacknowledged events again");
    }

    private void change(Runnable step) {
      try (var _ = lock.hold()) {
        step.run();
        changed.signalAll();
      }
    }
  }
}
