package dev.agentmemory.toc.segment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.testkit.store.HeapStore;
import dev.agentmemory.types.ModelCall;
import dev.agentmemory.types.ModelCall.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What is told of a model from the ledger of the day.
class TokenBudgetTest {

  private static final Instant NOON = Instant.parse("2026-01-30T12:00:00Z");

  private final HeapStore store = new HeapStore(ZoneOffset.UTC);
  private Instant now = NOON;
  private int calls;

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void problem_answersThatCannotBeUsed_areToldWithCountsTokensAndRemedy() {
    TokenBudget budget = budget();
    add(budget, Outcome.MALFORMED);
    add(budget, Outcome.UNSUPPORTED);
    assertThat(budget.problem()).as("too few to tell").isEmpty();
    add(budget, Outcome.MALFORMED);
    assertThat(budget.problem())
        .hasValueSatisfying(told ->
            assertThat(told)
                .startsWith("3 of 3 responses of the model were unusable today (45 tokens)")
                .contains("summarizer.model", "memory rebuild toc"));
  }

  @Test
  void problem_halfOfTheAnswersIsToldAndLessIsNot() {
    TokenBudget budget = budget();
    add(budget, Outcome.MALFORMED);
    add(budget, Outcome.MALFORMED);
    add(budget, Outcome.SUCCESS);
    add(budget, Outcome.SUCCESS);
    assertThat(budget.problem()).isPresent();
    add(budget, Outcome.SUCCESS);
    assertThat(budget.problem()).isEmpty();
  }

  @Test
  void problem_callsWithoutAnAnswer_doNotCount() {
    TokenBudget budget = budget();
    for (Outcome outcome : new Outcome[] {Outcome.FAILED, Outcome.TIMEOUT, Outcome.REFUSED}) {
      add(budget, outcome);
      add(budget, outcome);
    }
    assertThat(budget.problem()).isEmpty();
  }

  @Test
  void problem_isReadFromTheLedgerAfterARestart_andIsOneOfTheDay() {
    for (int i = 0; i < 3; i++) {
      store.commit(Commit.of(new Change.RecordCall(call(Outcome.UNSUPPORTED))));
    }
    TokenBudget budget = budget();
    assertThat(budget.problem()).isPresent();
    assertThat(budget.used()).isEqualTo(45);
    now = NOON.plus(Duration.ofDays(1));
    assertThat(budget.problem()).isEmpty();
    assertThat(budget.used()).isZero();
  }

  private TokenBudget budget() {
    return new TokenBudget(() -> now, ZoneOffset.UTC, store, 0);
  }

  /// As the job does: the day is known by then.
  private void add(TokenBudget budget, Outcome outcome) {
    assertThat(budget.has(0)).isTrue();
    assertThat(budget.used()).isNotNegative();
    budget.add(call(outcome));
  }

  private ModelCall call(Outcome outcome) {
    return new ModelCall(
        "01KG7Z5P0X" + String.format(Locale.ROOT, "%016d", calls++),
        NOON,
        "llm_summaries",
        Optional.empty(),
        "openai/gpt-4o-mini",
        10,
        5,
        Duration.ZERO,
        outcome);
  }
}
