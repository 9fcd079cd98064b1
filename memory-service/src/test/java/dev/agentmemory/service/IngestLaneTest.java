package dev.agentmemory.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.proto.IngestStreamRequest;
import dev.agentmemory.proto.IngestStreamResponse;
import dev.agentmemory.wire.EventMessages;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// One stream, stepped by hand on one thread.
class IngestLaneTest {

  private final SteppedIntake intake = new SteppedIntake();
  private final Answers answers = new Answers();
  private final List<IngestLane> ended = new ArrayList<>();

  private IngestLane lane(int window) {
    var lane = new IngestLane(intake, new StreamWindow(window, 1 << 20), answers, ended::add);
    lane.open();
    return lane;
  }

  private void send(IngestLane lane, int number) {
    lane.onNext(
        IngestStreamRequest.newBuilder()
            .addEvents(EventMessages.toWire(Samples.event(number)))
            .build());
  }

  @Test
  void reader_takesNoAnswers_isNotReadFrom() throws Exception {
    IngestLane lane = lane(2);
    answers.ready = false;
    assertThat(answers.requests.availablePermits()).isEqualTo(1);
    send(lane, 0);
    assertThat(answers.requests.availablePermits()).isEqualTo(2);
    send(lane, 1);
    intake.next().complete();
    intake.next().complete();
    assertThat(answers.requests.availablePermits()).isEqualTo(2);
    assertThat(answers.sent).isEmpty();

    answers.ready = true;
    answers.onReady.run();
    assertThat(answers.sent).hasSize(1);
    assertThat(answers.sent.getFirst().getAcksCount()).isEqualTo(2);
    assertThat(answers.requests.availablePermits()).isEqualTo(3);
  }

  @Test
  void halfClose_withEventsOpen_endsAfterTheirAnswers() throws Exception {
    IngestLane lane = lane(10);
    send(lane, 0);
    lane.onCompleted();
    assertThat(answers.completed).isFalse();
    intake.next().complete();
    assertThat(answers.sent).hasSize(1);
    assertThat(answers.completed).isTrue();
    assertThat(ended).containsExactly(lane);
  }

  @Test
  void cancel_withEventsOpen_forgetsThem() throws Exception {
    IngestLane lane = lane(10);
    send(lane, 0);
    answers.onCancel.run();
    intake.next().complete();
    assertThat(answers.sent).isEmpty();
    assertThat(answers.failures).isEmpty();
    assertThat(ended).containsExactly(lane);
  }

  @Test
  void queueFull_nextMessage_isNotAskedFor() throws Exception {
    IngestLane lane = lane(10);
    intake.refusals.set(Integer.MAX_VALUE);
    send(lane, 0);
    assertThat(answers.requests.drainPermits()).isEqualTo(1);
    intake.refusals.set(0);
    assertThat(answers.requests.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void defect_inTheReceipts_endsTheStream() throws Exception {
    IngestLane lane = lane(10);
    send(lane, 0);
    intake.next().answer().complete(List.of());
    assertThat(answers.failures).hasSize(1);
    assertThat(ended).containsExactly(lane);
  }

  private static final class Answers extends ServerCallStreamObserver<IngestStreamResponse> {

    private final List<IngestStreamResponse> sent = new ArrayList<>();
    private final List<Throwable> failures = new ArrayList<>();
    private Runnable onReady = () -> {};
    private Runnable onCancel = () -> {};
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
