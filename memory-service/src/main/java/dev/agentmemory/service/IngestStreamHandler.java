package dev.agentmemory.service;

import dev.agentmemory.api.Ingest;
import dev.agentmemory.proto.IngestStreamRequest;
import dev.agentmemory.proto.IngestStreamResponse;
import dev.agentmemory.service.internal.share.StreamBudget;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One ingest stream.
///
/// Idea: signals come from three sources: the transport (a message, capacity to write, the end),
/// the store (a batch is durable) and a timer (retry). A thread that signals while no other thread
/// processes signals processes all of them. So the state needs no lock and no thread waits:
///
/// ```
/// message -> arrived -> held (not yet accepted by the memory) -> open (not yet answered) -> answer
/// ```
///
/// The next message is requested only while `held` is empty and the window has capacity. Answers
/// are sent only while the transport accepts them. So a slow disk and a slow reader both stop the
/// sender. The streams of a client share a budget, and all streams another one. A stream whose
/// reader accepts nothing for a while is ended, because its events would stay in memory without a
/// limit.
final class IngestStreamHandler implements StreamObserver<IngestStreamRequest> {

  private static final Duration RETRY = Duration.ofMillis(5);

  private final Ingest ingest;
  private final StreamWindow window;
  private final StreamBudget.Share share;
  private final ServerCallStreamObserver<IngestStreamResponse> answers;
  private final Consumer<IngestStreamHandler> ended;
  private final Alarm alarm;

  private final AtomicInteger signals = new AtomicInteger();
  private final Queue<IngestBatch> arrived = new ConcurrentLinkedQueue<>();
  private final Queue<IngestBatch> turnedAway = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean retryPlanned = new AtomicBoolean();
  private volatile boolean halfClosed;
  private volatile boolean cancelled;
  private volatile boolean stopping;
  private volatile boolean alarmRang;

  /// Used only in the transport's calls of `onNext`, which never overlap.
  private long position;

  // The fields below are used by one thread at a time.
  private final Deque<IngestBatch> held = new ArrayDeque<>();
  private final Deque<IngestBatch> open = new ArrayDeque<>();
  private int openEvents;
  private long openBytes;
  private long sent;
  private long sentAtAlarm;
  private boolean watched;
  private boolean requested;
  private boolean over;

  IngestStreamHandler(
      Ingest ingest,
      StreamWindow window,
      StreamBudget.Share share,
      ServerCallStreamObserver<IngestStreamResponse> answers,
      Alarm alarm,
      Consumer<IngestStreamHandler> ended) {
    this.alarm = alarm;
    this.ingest = ingest;
    this.window = window;
    this.share = share;
    this.answers = answers;
    this.ended = ended;
  }

  /// Call this inside the handler.
  void open() {
    answers.disableAutoRequest();
    answers.setOnReadyHandler(this::signal);
    answers.setOnCancelHandler(this::cancel);
    answers.setOnCloseHandler(this::cancel);
    signal();
  }

  /// Accepts no further events, answers the accepted ones and ends.
  void stop() {
    stopping = true;
    signal();
  }

  @Override
  public void onNext(IngestStreamRequest message) {
    IngestBatch batch = IngestBatch.ofStream(position, message, ingest);
    position += batch.size();
    arrived.add(batch);
    signal();
  }

  @Override
  public void onError(Throwable failure) {
    cancel();
  }

  @Override
  public void onCompleted() {
    halfClosed = true;
    signal();
  }

  private void cancel() {
    cancelled = true;
    signal();
  }

  private void signal() {
    if (signals.getAndIncrement() != 0) {
      return;
    }
    int seen = 1;
    do {
      guardedTurn();
      seen = signals.addAndGet(-seen);
    } while (seen != 0);
  }

  /// A programming error must end the stream, which would hang otherwise.
  private void guardedTurn() {
    try {
      turn();
    } catch (RuntimeException | Error defect) {
      if (!over) {
        finish();
        answers.onError(defect);
      }
    }
  }

  private void turn() {
    if (over) {
      arrived.clear();
      return;
    }
    if (cancelled) {
      finish();
      return;
    }
    takeArrived();
    submitHeld();
    sendAnswers();
    if (!watchReader()) {
      endOrReadOn();
    }
  }

  private void takeArrived() {
    for (IngestBatch batch = arrived.poll(); batch != null; batch = arrived.poll()) {
      requested = false;
      openEvents += batch.size();
      openBytes += batch.bytes();
      share.take(batch.bytes());
      open.add(batch);
      if (!batch.done()) {
        held.add(batch);
      }
    }
    for (IngestBatch batch = turnedAway.poll(); batch != null; batch = turnedAway.poll()) {
      held.addFirst(batch);
    }
  }

  private void submitHeld() {
    while (!held.isEmpty() && submit(held.getFirst())) {
      held.removeFirst();
    }
    if (!held.isEmpty()) {
      retryLater();
    }
  }

  private void retryLater() {
    if (retryPlanned.compareAndSet(false, true)) {
      alarm.in(RETRY, this::retry);
    }
  }

  private void retry() {
    retryPlanned.set(false);
    signal();
  }

  /// @return false when the memory's queue is full
  private boolean submit(IngestBatch batch) {
    try {
      var _ =
          ingest
              .append(batch.valid())
              .whenComplete((receipts, failure) -> done(batch, receipts, failure));
    } catch (RuntimeException | Error failure) {
      if (isFull(failure)) {
        return false;
      }
      batch.fail(failure);
    }
    return true;
  }

  private void done(
      IngestBatch batch, @Nullable List<Receipt> receipts, @Nullable Throwable failure) {
    if (receipts != null) {
      batch.complete(receipts);
    } else if (failure != null && isFull(failure)) {
      turnedAway.add(batch);
    } else {
      batch.fail(failure == null ? new AssertionError("no receipts and no failure") : failure);
    }
    signal();
  }

  private static boolean isFull(Throwable failure) {
    return IngestBatch.cause(failure) instanceof MemoryException memory
        && memory.code() == ErrorCode.QUEUE_FULL;
  }

  private void sendAnswers() {
    while (answers.isReady() && !open.isEmpty() && answerable(open.getFirst())) {
      var response = IngestStreamResponse.newBuilder();
      while (!open.isEmpty() && answerable(open.getFirst())) {
        IngestBatch batch = open.removeFirst();
        openEvents -= batch.size();
        openBytes -= batch.bytes();
        share.take(-batch.bytes());
        batch.addAcks(response);
      }
      answers.onNext(response.build());
      sent++;
    }
  }

  /// Checks whether the client accepts answers again after it had stopped.
  ///
  /// @return whether the stream was ended because it does not
  private boolean watchReader() {
    boolean stuck = !open.isEmpty() && answerable(open.getFirst());
    boolean rang = alarmRang;
    alarmRang = false;
    if (rang && stuck && sent == sentAtAlarm) {
      answers.onError(
          new MemoryException(
              ErrorCode.QUEUE_FULL,
              "no response was read for %s s; read responses while sending, and send again what was"
                      .formatted(window.timeout().toSeconds())
                  + " not acknowledged"));
      finish();
      return true;
    }
    watched = watched && !rang;
    if (stuck && !watched) {
      watched = true;
      sentAtAlarm = sent;
      alarm.in(window.timeout(), this::ring);
    }
    return false;
  }

  private void ring() {
    alarmRang = true;
    signal();
  }

  private static boolean answerable(IngestBatch batch) {
    return batch.done() && batch.failure().isEmpty();
  }

  private void endOrReadOn() {
    if (!open.isEmpty() && open.getFirst().failure().isPresent()) {
      answers.onError(open.getFirst().failure().get());
      finish();
    } else if (open.isEmpty() && halfClosed && arrived.isEmpty()) {
      answers.onCompleted();
      finish();
    } else if (open.isEmpty() && stopping) {
      answers.onError(
          new MemoryException(
              ErrorCode.CLOSED, "the daemon is stopping; send again what was not acknowledged"));
      finish();
    } else if (!requested && wantsMore()) {
      if (share.hasRoom()) {
        requested = true;
        answers.request(1);
      } else {
        // Other streams of the client, or of all clients, have taken it.
        retryLater();
      }
    }
  }

  private boolean wantsMore() {
    return held.isEmpty()
        && !halfClosed
        && !stopping
        && openEvents < window.events()
        && openBytes < window.bytes();
  }

  private void finish() {
    over = true;
    share.end();
    open.clear();
    held.clear();
    arrived.clear();
    ended.accept(this);
  }
}
