package dev.agentmemory.testkit.contract;

import static dev.agentmemory.testkit.TestEvents.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.testkit.TestCalls;
import dev.agentmemory.testkit.TestToc;
import dev.agentmemory.types.ModelCall;
import dev.agentmemory.types.NodeId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Contract of the ledger of model calls.
public abstract class UsageContract extends StoreContract {

  private static final Instant FAR = Instant.parse("2400-01-01T00:00:00Z");

  @Test
  void modelCalls_none_givesNone() {
    assertThat(calls(Instant.MIN, Instant.MAX)).isEmpty();
  }

  @Test
  void modelCalls_everyOutcome_comesBackAsItWas() {
    var recorded = new ArrayList<ModelCall>();
    for (ModelCall.Outcome outcome : ModelCall.Outcome.values()) {
      Instant at = START.plusSeconds(recorded.size());
      recorded.add(TestCalls.call(at, 0, outcome, Optional.of(NodeId.year(2026))));
    }
    recorded.add(TestCalls.call(START.plusSeconds(99), 0));
    record(recorded);
    assertThat(calls(START, FAR)).isEqualTo(recorded);
  }

  @Test
  void modelCalls_range_hasItsBeginningAndNotItsEnd() {
    List<ModelCall> calls = secondly(5);
    record(calls);
    assertThat(calls(START.plusSeconds(1), START.plusSeconds(3))).isEqualTo(calls.subList(1, 3));
    assertThat(calls(START.plusSeconds(1).plusMillis(1), START.plusSeconds(3).plusMillis(1)))
        .isEqualTo(calls.subList(2, 4));
    assertThat(calls(Instant.MIN, START.plusSeconds(1))).isEqualTo(calls.subList(0, 1));
    assertThat(calls(START.plusSeconds(4), Instant.MAX)).isEqualTo(calls.subList(4, 5));
  }

  @Test
  void modelCalls_rangeThatEndsBeforeItBegins_isEmpty() {
    record(secondly(3));
    assertThat(calls(START.plusSeconds(1), START.plusSeconds(1))).isEmpty();
    assertThat(calls(START.plusSeconds(2), START)).isEmpty();
  }

  @Test
  void modelCalls_manyInAnyOrder_areGivenOldestFirst() {
    List<ModelCall> calls = secondly(1000);
    var shuffled = new ArrayList<>(calls);
    Collections.shuffle(shuffled, new Random(7));
    record(shuffled);
    assertThat(calls(START, FAR)).isEqualTo(calls);
  }

  @Test
  void recordCall_sameMillisecond_bothAreKept() {
    List<ModelCall> calls = List.of(TestCalls.call(START, 1), TestCalls.call(START, 2));
    record(calls.reversed());
    assertThat(calls(START, START.plusMillis(1))).isEqualTo(calls);
  }

  @Test
  void recordCall_again_isReplaced() {
    ModelCall failed = TestCalls.call(START, 1, ModelCall.Outcome.FAILED, Optional.empty());
    record(List.of(TestCalls.call(START, 1)));
    record(List.of(failed));
    assertThat(calls(START, FAR)).containsExactly(failed);
  }

  @Test
  void recordCall_inARefusedCommit_isNotKept() {
    var gap = new Change.PutNode(TestToc.node(NodeId.year(2026), 2, List.of()));
    var call = new Change.RecordCall(TestCalls.call(START, 1));
    assertThatThrownBy(() -> commit(call, gap)).isInstanceOf(RuntimeException.class);
    assertThat(calls(START, FAR)).isEmpty();
  }

  @Test
  void modelCalls_whoeverIsGivenThem_mayCommitMeanwhile() {
    List<ModelCall> calls = secondly(3);
    record(calls);
    var seen = new ArrayList<ModelCall>();
    store()
        .ledger()
        .modelCalls(
            START,
            START.plusSeconds(3),
            call -> {
              seen.add(call);
              commit(new Change.RecordCall(TestCalls.call(call.time().minusSeconds(60), 1)));
            });
    assertThat(seen).isEqualTo(calls);
    assertThat(calls(START.minusSeconds(60), START)).hasSize(3);
  }

  @Test
  void modelCalls_whoeverIsGivenThemThrows_endsThere() {
    record(secondly(3));
    var seen = new ArrayList<ModelCall>();
    assertThatThrownBy(() ->
            store()
                .ledger()
                .modelCalls(
                    START,
                    FAR,
                    call -> {
                      seen.add(call);
                      throw new IllegalStateException("enough");
                    }))
        .hasMessage("enough");
    assertThat(seen).hasSize(1);
  }

  /// One call per second from [dev.agentmemory.testkit.TestEvents#START] on.
  private static List<ModelCall> secondly(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> TestCalls.call(START.plusSeconds(i), i))
        .toList();
  }

  private void record(List<ModelCall> calls) {
    store().commit(Commit.of(calls.stream().<Change>map(Change.RecordCall::new).toList()));
  }

  private List<ModelCall> calls(Instant from, Instant until) {
    var found = new ArrayList<ModelCall>();
    store().ledger().modelCalls(from, until, found::add);
    return found;
  }
}
