package dev.agentmemory.testkit.contract;

import static dev.agentmemory.testkit.TestEvents.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.store.Change;
import dev.agentmemory.store.Checkpoint;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.TestToc;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/// Contract of [dev.agentmemory.store.MemoryStore#commit].
public abstract class CommitContract extends StoreContract {

  private final Event event = TestEvents.message("s", START, "hello");

  @Test
  void commit_onAnInterruptedThread_isWrittenAndLeavesTheInterrupt() {
    Thread.currentThread().interrupt();
    List<Receipt> receipts = append(event);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(receipts).containsExactly(new Receipt.Created(event.id()));
    assertThat(append(event)).containsExactly(new Receipt.AlreadyKnown(event.id()));
  }

  @Test
  void commit_newEvent_isCreated() {
    assertThat(append(event)).containsExactly(new Receipt.Created(event.id()));
    assertThat(store().events().event(event.id())).contains(event);
  }

  @Test
  void commit_nothing_answersNothing() {
    assertThat(store().commit(Commit.of())).isEmpty();
  }

  @Test
  void commit_sameEventTwice_isOneEvent() {
    append(event);
    assertThat(append(event)).containsExactly(new Receipt.AlreadyKnown(event.id()));
    assertThat(store().stats().events()).isEqualTo(1);
    assertThat(store().outbox().entries(0, 10)).hasSize(1);
  }

  @Test
  void commit_sameEventTwiceInOneCommit_isOneEvent() {
    assertThat(append(event, event))
        .containsExactly(new Receipt.Created(event.id()), new Receipt.AlreadyKnown(event.id()));
    assertThat(store().sessions().session(event.session()).orElseThrow().events()).isEqualTo(1);
  }

  @Test
  void commit_idWithOtherText_isConflictAndKeepsTheFirst() {
    append(event);
    Event other = TestEvents.withText(event, "good bye");
    assertThat(append(other)).containsExactly(new Receipt.Conflict(event.id()));
    assertThat(store().events().event(event.id())).contains(event);
  }

  @Test
  void commit_idAtOtherTime_isConflict() {
    append(event);
    Event later = TestEvents.message("s", START.plusSeconds(1), "hello");
    Event moved = TestEvents.withId(later, event.id());
    assertThat(append(moved)).containsExactly(new Receipt.Conflict(event.id()));
  }

  @Test
  void commit_idWithOtherMetadata_isConflict() {
    append(event);
    Event other = TestEvents.from(event, "agent", Map.of("tool", "bash"));
    assertThat(append(other)).containsExactly(new Receipt.Conflict(event.id()));
  }

  @Test
  void commit_conflictAmongOthers_writesTheOthers() {
    append(event);
    Event next = TestEvents.message("s", START.plusSeconds(1), "next");
    assertThat(append(TestEvents.withText(event, "x"), next))
        .containsExactly(new Receipt.Conflict(event.id()), new Receipt.Created(next.id()));
    assertThat(store().events().event(next.id())).contains(next);
  }

  @Test
  void commit_idWhoseTimeIsNotTheTimestamp_isFoundAndIdempotent() {
    Event moved = TestEvents.withId(event, TestEvents.id(Instant.EPOCH, 7));
    append(moved);
    assertThat(store().events().event(moved.id())).contains(moved);
    assertThat(append(moved)).containsExactly(new Receipt.AlreadyKnown(moved.id()));
    assertThat(append(TestEvents.withText(moved, "x")))
        .containsExactly(new Receipt.Conflict(moved.id()));
  }

  @Test
  void commit_idWithTimeBeyondThirteenDigits_isFound() {
    Event moved = TestEvents.withId(event, TestEvents.id(Instant.ofEpochMilli((1L << 48) - 1), 7));
    append(moved);
    assertThat(store().events().event(moved.id())).contains(moved);
  }

  @Test
  void commit_timestampBeyondThirteenDigits_isRefused() throws Exception {
    Event far = TestEvents.message("s", Instant.ofEpochMilli(10_000_000_000_000L), "far");
    assertThatThrownBy(() -> append(event, far))
        .isInstanceOfSatisfying(
            MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_FIELD));
    var answer = store().submit(Commit.append(List.of(far)));
    assertThatThrownBy(answer::get).hasCauseInstanceOf(MemoryException.class);
    assertThat(store().events().event(event.id())).isEmpty();
  }

  @Test
  void commit_refusedChange_writesNothingOfIt() {
    var gap = TestToc.node(NodeId.year(2026), 2, List.of());
    var commit =
        new Commit(
            List.of(new Change.AppendEvent(event), new Change.PutNode(gap)),
            Optional.of(Checkpoint.at("toc", 1)));
    assertThatThrownBy(() -> store().commit(commit))
        .isInstanceOfSatisfying(
            MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFLICT));
    assertThat(store().events().event(event.id())).isEmpty();
    assertThat(store().checkpoints().checkpoint("toc")).isEmpty();
    assertThat(store().stats().outboxHead()).isZero();
  }

  @Test
  void commit_maskedEventAgain_isKnownByWhatCameIn() {
    Event masked = TestEvents.withText(event, "[masked]");
    var change = new Change.AppendEvent(masked, event);
    assertThat(store().commit(Commit.of(change))).containsExactly(new Receipt.Created(event.id()));
    assertThat(store().events().event(event.id())).contains(masked);
    assertThat(store().commit(Commit.of(change)))
        .containsExactly(new Receipt.AlreadyKnown(event.id()));
    assertThat(append(event)).containsExactly(new Receipt.AlreadyKnown(event.id()));
    Event other = TestEvents.withText(event, "hello, too");
    assertThat(store().commit(Commit.of(new Change.AppendEvent(masked, other))))
        .containsExactly(new Receipt.Conflict(event.id()));
    assertThat(append(masked)).containsExactly(new Receipt.Conflict(event.id()));
  }

  @Test
  void commit_eventStoredBeforeItWasMasked_isKnown() {
    append(event);
    Event masked = TestEvents.withText(event, "[masked]");
    assertThat(store().commit(Commit.of(new Change.AppendEvent(masked, event))))
        .containsExactly(new Receipt.AlreadyKnown(event.id()));
    assertThat(store().events().event(event.id())).contains(event);
  }

  @Test
  void commit_equalEventsAtTheSameTime_oneIsCreated() throws Exception {
    int callers = 16;
    var receipts = new ArrayList<Receipt>();
    try (var threads = Executors.newFixedThreadPool(callers)) {
      Callable<Receipt> call = () -> append(event).getFirst();
      for (var answer : threads.invokeAll(Collections.nCopies(callers, call))) {
        receipts.add(answer.get());
      }
    }
    assertThat(receipts).filteredOn(Receipt.Created.class::isInstance).hasSize(1);
    assertThat(receipts).filteredOn(Receipt.AlreadyKnown.class::isInstance).hasSize(callers - 1);
    assertThat(store().stats().outboxHead()).isEqualTo(1);
  }

  @Test
  void submit_refusedChange_failsTheFutureAndNoOther() throws Exception {
    var good = store().submit(Commit.append(List.of(event)));
    var gap = TestToc.node(NodeId.year(2026), 9, List.of());
    var bad = store().submit(Commit.of(new Change.PutNode(gap)));
    Event next = TestEvents.message("s", START.plusSeconds(1), "next");
    var alsoGood = store().submit(Commit.append(List.of(next)));
    assertThat(good.get()).containsExactly(new Receipt.Created(event.id()));
    assertThatThrownBy(bad::get)
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(MemoryException.class);
    assertThat(alsoGood.get()).containsExactly(new Receipt.Created(next.id()));
  }

  @Test
  void commit_awkwardText_comesBackAsItWas() {
    Event awkward =
        TestEvents.from(
            TestEvents.message("ses:sion/ä", START, "\u0000 \"q\" \\ \n 日本語 \uD83E\uDD80 é"),
            "agent ü",
            Map.of("", "empty key", "k\n", ""));
    append(awkward);
    assertThat(store().events().event(awkward.id())).contains(awkward);
  }

  @Test
  void store_afterClose_saysClosed() {
    MemoryStore other = open();
    other.close();
    other.close();
    assertThatThrownBy(() -> other.commit(Commit.of()))
        .isInstanceOfSatisfying(
            MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CLOSED));
    assertThatThrownBy(() -> other.events().event(event.id()))
        .isInstanceOfSatisfying(
            MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CLOSED));
    assertThatThrownBy(() -> other.ledger().modelCalls(START, START, call -> {}))
        .isInstanceOfSatisfying(
            MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CLOSED));
    assertThatThrownBy(() -> other.sessions().sessions(Optional.empty(), 1))
        .isInstanceOf(MemoryException.class);
    assertThatThrownBy(() -> other.outbox().head()).isInstanceOf(MemoryException.class);
    assertThatThrownBy(() -> other.outbox().entries(0, 1)).isInstanceOf(MemoryException.class);
    assertThatThrownBy(other::stats).isInstanceOf(MemoryException.class);
  }

  @Test
  void stats_afterCommits_countExactly() {
    append(TestEvents.messages("s", 3));
    commit(TestToc.putBranch(LocalDate.of(2026, 1, 30), List.of()));
    commit(new Change.MarkDirty(NodeId.year(2026)), new Change.MarkDirty(NodeId.year(2026)));
    var stats = store().stats();
    assertThat(stats.events()).isEqualTo(3);
    assertThat(stats.outboxHead()).isEqualTo(3);
    assertThat(stats.outboxTail()).isEqualTo(1);
    assertThat(stats.dirtyNodes()).isEqualTo(1);
    assertThat(stats.deadLetters()).isZero();
    assertThat(stats.commits()).isEqualTo(3);
  }

  private void commit(List<Change> changes) {
    store().commit(Commit.of(changes));
  }
}
