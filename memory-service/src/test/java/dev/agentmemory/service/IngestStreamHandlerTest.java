package dev.agentmemory.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.proto.IngestStreamRequest;
import dev.agentmemory.proto.IngestStreamResponse;
import dev.agentmemory.service.internal.share.StreamBudget;
import dev.agentmemory.wire.EventMessages;
import io.grpc.stub.ServerCallStreamObserver;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// One stream, stepped by hand on one thread.
class IngestStreamHandlerTest {

  private final StreamBudget budget = new StreamBudget(1 << 20, 2 << 20);
  private final SteppedIngest ingest = new SteppedIngest();
  private final Answers answers = new Answers();
  private final Deque<Runnable> alarms = new ArrayDeque<>();
  private final List<IngestStreamHandler> ended = new ArrayList<>();

  /// Short ones are retries and run for real; the long one is rung by the test.
  private void plan(Duration delay, Runnable action) {
    if (delay.equals(StreamWindow.DEFAULT.timeout())) {
      alarms.add(action);
    } else {
      Alarm.REAL.in(delay, action);
    }
  }

  private IngestStreamHandler stream(int window) {
    var stream =
        new IngestStreamHandler(
            ingest,
            new StreamWindow(window, 1 << 20),
            budget.share(),
            answers,
            this::plan,
            ended::add);
    stream.open();
    return stream;
  }

  private void send(IngestStreamHandler stream, int number) {
    stream.onNext(
        IngestStreamRequest.newBuilder()
            .addEvents(EventMessages.toWire(Samples.event(number)))
            .build());
  }

  @Test
  void reader_takesNoAnswers_isNotReadFrom() throws Exception {
    IngestStreamHandler stream = stream(2);
    answers.ready = false;
    assertThat(answers.requests.availablePermits()).isEqualTo(1);
    send(stream, 0);
    assertThat(answers.requests.availablePermits()).isEqualTo(2);
    send(stream, 1);
    ingest.next().complete();
    ingest.next().complete();
    assertThat(answers.requests.availablePermits()).isEqualTo(2);
    assertThat(answers.sent).isEmpty();

    answers.ready = true;
    answers.onReady.run();
    assertThat(answers.sent).hasSize(1);
    assertThat(answers.sent.getFirst().getAcksCount()).isEqualTo(2);
    assertThat(answers.requests.availablePermits()).isEqualTo(3);
  }

  @Test
  void reader_takesNoAnswersForTooLong_losesItsStream() throws Exception {
    IngestStreamHandler stream = stream(2);
    answers.ready = false;
    send(stream, 0);
    assertThat(alarms).as("nothing waits for the reader yet").isEmpty();
    ingest.next().complete();
    assertThat(alarms).hasSize(1);
    alarms.remove().run();
    assertThat(answers.failures)
        .singleElement()
        .satisfies(why -> assertThat(why).hasMessageContaining("no response was read for 30 s"));
    assertThat(ended).containsExactly(stream);
    answers.ready = true;
    answers.onReady.run();
    assertThat(answers.sent).isEmpty();
  }

  @Test
  void reader_slowButTakingAnswers_keepsItsStream() throws Exception {
    IngestStreamHandler stream = stream(4);
    for (int i = 0; i < 5; i++) {
      answers.ready = false;
      send(stream, i);
      ingest.next().complete();
      assertThat(alarms).hasSize(1);
      answers.ready = true;
      answers.onReady.run();
      answers.ready = false;
      send(stream, 100 + i);
      ingest.next().complete();
      alarms.remove().run();
      assertThat(alarms).as("watched further").hasSize(1);
      answers.ready = true;
      answers.onReady.run();
      alarms.remove().run();
      assertThat(alarms).as("nothing to watch").isEmpty();
    }
    assertThat(answers.failures).isEmpty();
    assertThat(answers.sent).hasSize(10);
    assertThat(ended).isEmpty();
  }

  @Test
  void close_byTheTransport_endsTheStream() {
    IngestStreamHandler stream = stream(2);
    answers.onClose.run();
    assertThat(ended).containsExactly(stream);
  }

  @Test
  void halfClose_withEventsOpen_endsAfterTheirAnswers() throws Exception {
    IngestStreamHandler stream = stream(10);
    send(stream, 0);
    stream.onCompleted();
    assertThat(answers.completed).isFalse();
    ingest.next().complete();
    assertThat(answers.sent).hasSize(1);
    assertThat(answers.completed).isTrue();
    assertThat(ended).containsExactly(stream);
  }

  @Test
  void cancel_withEventsOpen_forgetsThem() throws Exception {
    IngestStreamHandler stream = stream(10);
    send(stream, 0);
    answers.onCancel.run();
    ingest.next().complete();
    assertThat(answers.sent).isEmpty();
    assertThat(answers.failures).isEmpty();
    assertThat(ended).containsExactly(stream);
  }

  @Test
  void queueFull_nextMessage_isNotAskedFor() throws Exception {
    IngestStreamHandler stream = stream(10);
    ingest.refusals.set(Integer.MAX_VALUE);
    send(stream, 0);
    assertThat(answers.requests.drainPermits()).isEqualTo(1);
    ingest.refusals.set(0);
    assertThat(answers.requests.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void defect_inTheReceipts_endsTheStream() throws Exception {
    IngestStreamHandler stream = stream(10);
    send(stream, 0);
    ingest.next().answer().complete(List.of());
    assertThat(answers.failures).hasSize(1);
    assertThat(ended).containsExactly(stream);
  }

  private static final class Answers extends ServerCallStreamObserver<IngestStreamResponse> {

    private final List<IngestStreamResponse> sent = new ArrayList<>();
    private final List<Throwable> failures = new ArrayList<>();
    private Runnable onReady = () -> {};
    private Runnable onCancel = () -> {};
    private Runnable onClose = () -> {};
    private boolean ready = true;
    private boolean completed;
    private final Semaphore requests = new Semaphore(0);

    @Override
    public boolean isCancelled() {
      return false;
    }

    @Override
    public void setOnCancelHandler(Runnable handler) {
      onCancel = handler;
    }

    @Override
    public void setOnCloseHandler(Runnable handler) {
      onClose = handler;
    }

    @Override
    public void setCompression(String compression) {}

    @Override
    public boolean isReady() {
      return ready;
    }

    @Override
    public void setOnReadyHandler(Runnable handler) {
      onReady = handler;
    }

    @Override
    public void disableAutoRequest() {}

    @Override
    @SuppressWarnings("deprecation")
    public void disableAutoInboundFlowControl() {}

    @Override
    public void request(int count) {
      requests.release(count);
    }

    @Override
    public void setMessageCompression(boolean enable) {}

    @Override
    public void onNext(IngestStreamResponse response) {
      sent.add(response);
    }

    @Override
    public void onError(Throwable failure) {
      failures.add(failure);
    }

    @Override
    public void onCompleted() {
      completed = true;
    }
  }
}
