package dev.agentmemory.bench.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class FaultScheduleTest {

  private static final List<FaultSchedule> SOME =
      LongStream.range(0, 200).mapToObj(FaultSchedule::of).toList();

  @Test
  void schedule_ofASeed_isTheSameEachTime() {
    assertThat(LongStream.range(0, 200).mapToObj(FaultSchedule::of))
        .containsExactlyElementsOf(SOME);
  }

  @Test
  void schedules_haveAFewSteps() {
    assertThat(SOME)
        .allSatisfy(one ->
            assertThat(one.steps())
                .hasSizeBetween(FaultSchedule.LEAST_STEPS, FaultSchedule.MOST_STEPS));
  }

  @Test
  void schedules_haveEachKind() {
    assertThat(SOME.stream().flatMap(one -> one.steps().stream())).contains(FaultKind.values());
  }
}
