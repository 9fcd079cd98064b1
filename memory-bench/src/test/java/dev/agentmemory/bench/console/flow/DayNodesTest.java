package dev.agentmemory.bench.console.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import org.junit.jupiter.api.Test;

class DayNodesTest {

  /// A week belongs to the month and year of its Thursday.
  @Test
  void dayOfAWeekOfTheNextYear_isBelowThatYear() {
    assertThat(new DayNodes(LocalDate.of(2025, 12, 30)).above())
        .containsExactly("toc:year:2026", "toc:month:2026:01", "toc:week:2026:W01");
    assertThat(new DayNodes(LocalDate.of(2026, 11, 10)).above())
        .containsExactly("toc:year:2026", "toc:month:2026:11", "toc:week:2026:W46");
  }
}
