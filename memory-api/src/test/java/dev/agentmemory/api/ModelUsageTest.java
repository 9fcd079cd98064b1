package dev.agentmemory.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.ModelCall;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// The ledger, summed by days of a zone and by model.
class ModelUsageTest {

  private static final ZoneId PARIS = ZoneId.of("Europe/Paris");
  private static final Instant NOON = Instant.parse("2026-01-30T12:00:00Z");
  private static final LocalDate TODAY = LocalDate.of(2026, 1, 30);

  private final List<ModelCall> calls = new ArrayList<>();

  @Test
  void of_nothing_isNothing() {
    assertThat(usage(30)).isEqualTo(new ModelUsage(30, List.of(), ModelUsage.Sums.NONE));
  }

  @Test
  void of_callsOfADay_areSummedByModel_andAllTogether() {
    add("2026-01-30T08:00:00Z", "openai/a", 10, 1, ModelCall.Outcome.SUCCESS);
    add("2026-01-30T09:00:00Z", "ollama/b", 5, 0, ModelCall.Outcome.TIMEOUT);
    add("2026-01-30T10:00:00Z", "openai/a", 20, 2, ModelCall.Outcome.SUCCESS);

    ModelUsage usage = usage(1);

    assertThat(usage.rows())
        .containsExactly(
            new ModelUsage.Row(TODAY, "ollama/b", new ModelUsage.Sums(1, 1, 5, 0)),
            new ModelUsage.Row(TODAY, "openai/a", new ModelUsage.Sums(2, 0, 30, 3)));
    assertThat(usage.total()).isEqualTo(new ModelUsage.Sums(3, 1, 35, 3));
  }

  @Test
  void of_everyOutcomeButSuccess_hasFailed() {
    for (ModelCall.Outcome outcome : ModelCall.Outcome.values()) {
      add("2026-01-30T08:00:00Z", "m", 1, 1, outcome);
    }
    assertThat(usage(1).total().failedCalls()).isEqualTo(ModelCall.Outcome.values().length - 1);
  }

  @Test
  void of_days_beginInTheZone_andTheOldestAndTodayAreWhole() {
    add("2026-01-28T22:59:59.999Z", "m", 1, 0, ModelCall.Outcome.SUCCESS);
    add("2026-01-28T23:00:00Z", "m", 10, 0, ModelCall.Outcome.SUCCESS);
    add("2026-01-29T23:00:00Z", "m", 100, 0, ModelCall.Outcome.SUCCESS);
    add("2026-01-30T22:59:59.999Z", "m", 1000, 0, ModelCall.Outcome.SUCCESS);
    add("2026-01-30T23:00:00Z", "m", 10_000, 0, ModelCall.Outcome.SUCCESS);

    assertThat(usage(2).rows())
        .containsExactly(
            new ModelUsage.Row(TODAY, "m", new ModelUsage.Sums(2, 0, 1100, 0)),
            new ModelUsage.Row(TODAY.minusDays(1), "m", new ModelUsage.Sums(1, 0, 10, 0)));
    assertThat(usage(1).rows()).hasSize(1);
    assertThat(usage(ModelUsage.MOST_DAYS).total().inputTokens()).isEqualTo(1111);
  }

  @Test
  void of_moreModelsThanFitIntoAnAnswer_sumsTheRestUp() {
    int models = ModelUsage.MOST_ROWS + 5;
    for (int i = 0; i < models; i++) {
      add("2026-01-30T08:00:00Z", "m" + i, 1, 0, ModelCall.Outcome.SUCCESS);
    }

    ModelUsage usage = usage(1);

    assertThat(usage.rows()).hasSize(ModelUsage.MOST_ROWS + 1);
    assertThat(usage.rows())
        .contains(new ModelUsage.Row(TODAY, ModelUsage.OTHERS, new ModelUsage.Sums(5, 0, 5, 0)));
    assertThat(usage.total().calls()).isEqualTo(models);
  }

  @Test
  void days_outOfRange_areRefused() {
    for (int days : new int[] {-1, ModelUsage.MOST_DAYS + 1}) {
      MemoryException refusal = catchThrowableOfType(MemoryException.class, () -> usage(days));
      assertThat(refusal.field()).hasValue("days");
    }
    assertThat(usage(0).days()).isEqualTo(30);
  }

  private ModelUsage usage(int days) {
    return ModelUsage.of(
        (from, until, each) ->
            calls.stream()
                .filter(call -> !call.time().isBefore(from) && call.time().isBefore(until))
                .forEach(each),
        PARIS,
        NOON,
        days);
  }

  private void add(String time, String model, long input, long output, ModelCall.Outcome outcome) {
    calls.add(
        new ModelCall(
            "01HN4QXKN6YWXVKZ3JMHP4BCDE",
            Instant.parse(time),
            "llm_summaries",
            Optional.empty(),
            model,
            input,
            output,
            Duration.ofSeconds(1),
            outcome));
  }
}
