package dev.agentmemory.testkit.contract;

import static dev.agentmemory.testkit.TestEvents.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.store.Change;
import dev.agentmemory.store.Checkpoint;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.DeadLetter;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.OutboxEntry;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/// Contract of the outbox, dead letters and checkpoints.
public abstract class OutboxContract extends StoreContract {

  @Test
  void outbox_emptyStore_isEmpty() throws InterruptedException {
    assertThat(store().outbox().entries(0, 10)).isEmpty();
    assertThat(store().outbox().head()).isZero();
    assertThat(store().stats().outboxTail()).isEqualTo(1);
    assertThat(store().outbox().await(0, Duration.ofMillis(1))).isFalse();
  }

  @Test
  void outbox_events_areDenseAndInOrderOfArrival() {
    List<Event> events = TestEvents.messages("s", 4).reversed();
    events.forEach(this::append);
    List<OutboxEntry> entries = store().outbox().entries(0, 10);
    assertThat(entries).extracting(OutboxEntry::sequence).containsExactly(1L, 2L, 3L, 4L);
    assertThat(entries)
        .extracting(OutboxEntry::event)
        .containsExactlyElementsOf(events.stream().map(Event::key).toList());
  }

  @Test
  void outbox_pages_joinWithoutGapOrRepetition() {
    append(TestEvents.messages("s", 5));
    assertThat(sequences(0, 2)).containsExactly(1L, 2L);
    assertThat(sequences(2, 2)).containsExactly(3L, 4L);
    assertThat(sequences(4, 2)).containsExactly(5L);
    assertThat(sequences(5, 2)).isEmpty();
  }

  @Test
  void outbox_repeatsAndConflicts_addNothing() {
    Event event = TestEvents.message("s", START, "x");
    append(event);
    append(event, TestEvents.withText(event, "y"));
    assertThat(sequences(0, 10)).containsExactly(1L);
  }

  @Test
  void maskEvent_changesWhatItSaysOnly_andConsumersFollow() {
    Event event = TestEvents.message("s", START, "secret");
    append(event, TestEvents.message("s", START.plusSeconds(1), "other"));
    Event stored = store().events().event(event.id()).orElseThrow();
    commit(new Change.MaskEvent(event.withContent("masked", Map.of("k", "v"))));
    assertThat(store().events().event(event.id()))
        .contains(stored.withContent("masked", Map.of("k", "v")));
    assertThat(sequences(0, 10)).containsExactly(1L, 2L, 3L);
    assertThat(store().outbox().entries(2, 10))
        .extracting(OutboxEntry::event)
        .containsExactly(stored.key());
    assertThat(append(event)).containsExactly(new Receipt.AlreadyKnown(event.id()));
    assertThat(append(TestEvents.withText(event, "masked")))
        .containsExactly(new Receipt.Conflict(event.id()));
  }

  @Test
  void maskEvent_ofAnAgent_isThatOfItsSession() {
    Event event = TestEvents.from(TestEvents.message("s", START, "x"), "agent key", Map.of());
    append(event);
    commit(new Change.MaskEvent(event.withAgent(Optional.of("agent"))));
    assertThat(store().sessions().session(event.session()).orElseThrow().agent()).contains("agent");
  }

  @Test
  void maskEvent_thatIsNotThere_doesNothing() {
    commit(new Change.MaskEvent(TestEvents.message("s", START, "x")));
    assertThat(store().outbox().head()).isZero();
    assertThat(store().stats().events()).isZero();
  }

  @Test
  void trim_some_keepsTheRest() {
    append(TestEvents.messages("s", 5));
    commit(new Change.TrimOutbox(3));
    assertThat(sequences(0, 10)).containsExactly(4L, 5L);
    assertThat(store().stats().outboxTail()).isEqualTo(4);
    commit(new Change.TrimOutbox(2));
    assertThat(sequences(0, 10)).containsExactly(4L, 5L);
  }

  @Test
  void trim_all_doesNotRestartTheSequence() throws InterruptedException {
    append(TestEvents.messages("s", 3));
    commit(new Change.TrimOutbox(1000));
    assertThat(store().outbox().head()).isEqualTo(3);
    assertThat(store().outbox().entries(0, 10)).isEmpty();
    assertThat(store().outbox().await(0, Duration.ofMillis(1))).isFalse();
    append(TestEvents.messages("t", 1));
    assertThat(sequences(0, 10)).containsExactly(4L);
    assertThat(store().outbox().await(0, Duration.ofMillis(1))).isTrue();
  }

  @Test
  void trim_inTheCommitOfTheEvents_takesWhatStoodBefore() {
    append(TestEvents.messages("s", 2));
    Event next = TestEvents.message("t", START, "next");
    commit(new Change.TrimOutbox(2), new Change.AppendEvent(next));
    assertThat(sequences(0, 10)).containsExactly(3L);
  }

  @Test
  void awaitOutbox_eventArrives_wakes() throws Exception {
    var waiting =
        CompletableFuture.supplyAsync(() -> {
          try {
            return store().outbox().await(0, Duration.ofSeconds(30));
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
    append(TestEvents.messages("s", 1));
    assertThat(waiting.get()).isTrue();
  }

  @Test
  void awaitOutbox_storeCloses_saysFalse() throws Exception {
    MemoryStore other = open();
    var waiting =
        CompletableFuture.supplyAsync(() -> {
          try {
            return other.outbox().await(0, Duration.ofSeconds(30));
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
    other.close();
    assertThat(waiting.get()).isFalse();
    assertThat(other.outbox().await(0, Duration.ofSeconds(30))).isFalse();
  }

  @Test
  void deadLetters_byConsumerAndSequence_pageAndReplace() {
    append(TestEvents.messages("s", 3));
    DeadLetter b2 = letter("b", 2, "first");
    DeadLetter a3 = letter("a", 3, "second");
    DeadLetter a1 = letter("a", 1, "third");
    commit(
        new Change.PutDeadLetter(b2), new Change.PutDeadLetter(a3), new Change.PutDeadLetter(a1));
    DeadLetter again = letter("a", 3, "once more");
    commit(new Change.PutDeadLetter(again));
    assertThat(store().outbox().deadLetters(Optional.empty(), 2)).containsExactly(a1, again);
    assertThat(store().outbox().deadLetters(Optional.of(again), 2)).containsExactly(b2);
    assertThat(store().stats().deadLetters()).isEqualTo(3);
    commit(new Change.DropDeadLetter("a", 1), new Change.DropDeadLetter("a", 99));
    assertThat(store().outbox().deadLetters(Optional.empty(), 10)).containsExactly(again, b2);
    assertThat(store().stats().deadLetters()).isEqualTo(2);
  }

  @Test
  void checkpoint_absentWrittenReplaced_isTheLast() {
    assertThat(store().checkpoints().checkpoint("toc")).isEmpty();
    store().commit(Commit.of(Checkpoint.at("toc", 5)));
    var later = new Checkpoint("toc", 7, Map.of("paused", "true"));
    store().commit(Commit.of(later));
    assertThat(store().checkpoints().checkpoint("toc")).contains(later);
    assertThat(store().checkpoints().checkpoint("to")).isEmpty();
  }

  private List<Long> sequences(long after, int limit) {
    return store().outbox().entries(after, limit).stream().map(OutboxEntry::sequence).toList();
  }

  private DeadLetter letter(String consumer, long sequence, String error) {
    EventKey event = store().outbox().entries(sequence - 1, 1).getFirst().event();
    return new DeadLetter(consumer, new OutboxEntry(sequence, event), error, 3, START);
  }
}
