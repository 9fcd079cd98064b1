package dev.agentmemory.cli.agent.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.agentmemory.store.Receipt;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ImportSenderTest {

  private final List<List<Event>> calls = new CopyOnWriteArrayList<>();
  private final List<Event> streamed = new CopyOnWriteArrayList<>();
  private final List<Receipt> receipts = new CopyOnWriteArrayList<>();
  private volatile Optional<ErrorCode> failure = Optional.empty();
  private volatile boolean closed;
  private final ImportSender sender =
      new ImportSender(this::call, Streamed::new, receipts::add);

  private List<Receipt> call(List<Event> events) {
    calls.add(events);
    failure.ifPresent(code -> {
      throw new MemoryException(code, "not now");
    });
    return events.stream().<Receipt>map(event -> new Receipt.Created(event.id())).toList();
  }

  private final class Streamed implements ImportSender.Sending {

    @Override
    public void send(List<Event> events) {
      streamed.addAll(events);
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  @Test
  void events_areSentInOrder_inCallsOfABoundedNumber() {
    List<Event> events = TestEvents.messages("s", 2 * ImportSender.MOST_EVENTS + 1);
    for (Event event : events) {
      sender.send(List.of(event));
    }
    sender.finish();
    assertThat(calls)
        .extracting(List::size)
        .containsExactly(ImportSender.MOST_EVENTS, ImportSender.MOST_EVENTS, 1);
    assertThat(calls.stream().flatMap(List::stream).toList()).isEqualTo(events);
    assertThat(receipts.stream().map(Receipt::event).toList())
        .isEqualTo(events.stream().map(Event::id).toList());
  }

  @Test
  void largeEvents_areSentInCallsOfABoundedSize() {
    List<Event> events =
        TestEvents.messages("s", 3).stream()
            .map(event -> TestEvents.withText(event, "x".repeat(ImportSender.MOST_CHARS / 2)))
            .toList();
    sender.send(events);
    sender.finish();
    assertThat(calls).extracting(List::size).containsExactly(2, 1);
  }

  @Test
  void finish_withoutEvents_callsNobody() {
    sender.finish();
    assertThat(calls).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"QUEUE_FULL", "UNSUPPORTED_FORMAT"})
  void daemonThatIsBusyOrOld_getsThisAndAllLaterEventsOverAStream(ErrorCode code) {
    failure = Optional.of(code);
    List<Event> events = TestEvents.messages("s", ImportSender.MOST_EVENTS + 1);
    sender.send(events);
    sender.finish();
    assertThat(calls).hasSize(1);
    assertThat(streamed).isEqualTo(events);
    assertThat(receipts).isEmpty();
    assertThat(closed).isTrue();
  }

  @Test
  void failedCall_isReportedWhenItIsAwaited() {
    failure = Optional.of(ErrorCode.UNREACHABLE);
    sender.send(TestEvents.messages("s", 1));
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(sender::finish)
        .withMessage("not now");
    assertThat(streamed).isEmpty();
  }
}
