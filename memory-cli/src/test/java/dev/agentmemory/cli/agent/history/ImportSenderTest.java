package dev.agentmemory.cli.agent.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.agentmemory.store.Receipt;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ImportSenderTest {

  private final RecordedImports daemon = new RecordedImports();
  private final List<Receipt> receipts = new CopyOnWriteArrayList<>();
  private final Semaphore room = new Semaphore(2 * ImportSender.MOST_CHARS);
  private final ImportSender sender = new ImportSender(daemon, room, receipts::add);

  @Test
  void events_areSentInOrder_inCallsOfABoundedNumber() {
    List<Event> events = TestEvents.messages("s", 2 * ImportSender.MOST_EVENTS + 1);
    for (Event event : events) {
      sender.send(List.of(event));
    }
    sender.finish();
    assertThat(daemon.calls)
        .extracting(List::size)
        .containsExactly(ImportSender.MOST_EVENTS, ImportSender.MOST_EVENTS, 1);
    assertThat(daemon.calls.stream().flatMap(List::stream)).isEqualTo(events);
    assertThat(receipts.stream().map(Receipt::event)).isEqualTo(ids(events));
  }

  @Test
  void largeEvents_areSentInCallsOfABoundedSize() {
    String half = "x".repeat(ImportSender.MOST_CHARS / 2);
    sender.send(
        TestEvents.messages("s", 3).stream()
            .map(event -> TestEvents.withText(event, half))
            .toList());
    sender.send(
        TestEvents.messages("t", 2).stream()
            .map(event -> TestEvents.from(event, "agent", Map.of("key", half)))
            .toList());
    sender.finish();
    assertThat(daemon.calls).extracting(List::size).containsExactly(2, 1, 1, 1);
  }

  @Test
  void eventLargerThanACall_isSentAlone() {
    Event large =
        TestEvents.withText(
            TestEvents.messages("s", 1).getFirst(), "x".repeat(2 * ImportSender.MOST_CHARS));
    sender.send(List.of(large, large));
    sender.finish();
    assertThat(daemon.calls).containsExactly(List.of(large), List.of(large));
  }

  @Test
  void finish_withoutEvents_makesNoCall() {
    sender.finish();
    assertThat(daemon.calls).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"QUEUE_FULL", "UNSUPPORTED_FORMAT"})
  void daemonThatIsBusyOrOld_getsThisAndAllLaterEventsOverAStream(ErrorCode code) {
    daemon.failure = Optional.of(code);
    List<Event> events = TestEvents.messages("s", ImportSender.MOST_EVENTS + 1);
    sender.send(events);
    sender.finish();
    assertThat(daemon.calls).hasSize(1);
    assertThat(daemon.streamed).isEqualTo(events);
    assertThat(receipts.stream().map(Receipt::event)).isEqualTo(ids(events));
    assertThat(daemon.streamClosed).isTrue();
  }

  @Test
  void failedCall_isReportedWhenItIsAwaited_andNothingIsSentAfterIt() {
    daemon.failure = Optional.of(ErrorCode.UNREACHABLE);
    sender.send(TestEvents.messages("s", ImportSender.MOST_EVENTS + 1));
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(sender::finish)
        .withMessage("not now");
    assertThat(daemon.calls).hasSize(1);
    assertThat(daemon.streamed).isEmpty();
    assertThat(receipts).isEmpty();
  }

  @Test
  void send_whileACallIsNotAnswered_goesOnWhileThereIsRoom_andKeepsTheOrder() {
    var answered = new CountDownLatch(1);
    daemon.during = () -> awaitUninterruptibly(answered);
    List<Event> events = TestEvents.messages("s", 3 * ImportSender.MOST_EVENTS);
    sender.send(events);
    sender.flush();
    answered.countDown();
    sender.finish();
    assertThat(daemon.calls.stream().flatMap(List::stream)).isEqualTo(events);
    assertThat(receipts.stream().map(Receipt::event)).isEqualTo(ids(events));
  }

  @Test
  void send_withoutRoom_waitsUntilACallIsAnswered() throws InterruptedException {
    var answered = new CountDownLatch(1);
    daemon.during = () -> awaitUninterruptibly(answered);
    String whole = "x".repeat(ImportSender.MOST_CHARS);
    List<Event> events =
        TestEvents.messages("s", 4).stream()
            .map(event -> TestEvents.withText(event, whole))
            .toList();
    sender.send(events.subList(0, 3));
    assertThat(room.availablePermits()).isZero();
    CompletableFuture<Void> third =
        CompletableFuture.runAsync(sender::flush, task -> Thread.ofVirtual().start(task));
    assertThatExceptionOfType(TimeoutException.class)
        .isThrownBy(() -> third.get(50, TimeUnit.MILLISECONDS));
    answered.countDown();
    third.join();
    sender.send(events.subList(3, 4));
    sender.finish();
    assertThat(daemon.calls.stream().flatMap(List::stream)).isEqualTo(events);
    assertThat(room.availablePermits()).isEqualTo(2 * ImportSender.MOST_CHARS);
  }

  @Test
  void failedCall_givesItsRoomBack() {
    daemon.failure = Optional.of(ErrorCode.UNREACHABLE);
    List<Event> events = TestEvents.messages("s", 3 * ImportSender.MOST_EVENTS);
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() -> {
          sender.send(events);
          sender.finish();
        });
    assertThat(room.availablePermits()).isEqualTo(2 * ImportSender.MOST_CHARS);
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static List<Object> ids(List<Event> events) {
    return events.stream().<Object>map(Event::id).toList();
  }
}
