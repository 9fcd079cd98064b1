package dev.agentmemory.toc.segment;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.f4b6a3.ulid.Ulid;
import dev.agentmemory.model.Attempted;
import dev.agentmemory.testkit.store.HeapStore;
import dev.agentmemory.types.ModelCall;
import dev.agentmemory.types.ModelCall.Outcome;
import dev.agentmemory.types.NodeId;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Rows of the ledger, from requests that went out.
class LedgerRowsTest {

  private static final Instant NOON = Instant.parse("2026-01-30T12:00:00Z");
  private static final Attempted ATTEMPT =
      new Attempted(NOON, 10, 5, Duration.ofSeconds(1), Outcome.SUCCESS);

  private final HeapStore store = new HeapStore(ZoneOffset.UTC);
  private final TokenBudget budget =
      new TokenBudget(() -> NOON, ZoneOffset.UTC, store.ledger(), 100);

  @AfterEach
  void close() {
    store.close();
  }

  private List<ModelCall> rows(long seed) {
    return new LedgerRows(new Random(seed), "job", "openai/small", budget)
        .counted(List.of(ATTEMPT, ATTEMPT), Optional.of(NodeId.year(2026)));
  }

  @Test
  void ids_areOfTheTimeAndOfTheRandomSource() {
    List<ModelCall> rows = rows(1);
    assertThat(rows).extracting(ModelCall::id).doesNotHaveDuplicates();
    assertThat(rows).allMatch(row -> Ulid.from(row.id()).getInstant().equals(NOON));
    assertThat(rows(1)).isEqualTo(rows);
    assertThat(rows(2)).doesNotContainAnyElementsOf(rows);
  }

  @Test
  void tokens_areTakenFromTheBudget() {
    assertThat(budget.has(71)).isTrue();
    assertThat(rows(1)).hasSize(2);
    assertThat(budget.has(70)).isTrue();
    assertThat(budget.has(71)).isFalse();
  }
}
