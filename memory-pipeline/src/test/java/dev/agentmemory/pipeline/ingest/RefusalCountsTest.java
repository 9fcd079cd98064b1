package dev.agentmemory.pipeline.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.RefusalReport;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class RefusalCountsTest {

  private final RefusalCounts refusals = new RefusalCounts();

  @Test
  void report_ofNone_isEmpty() {
    assertThat(refusals.report()).isEqualTo(RefusalReport.NONE);
  }

  @Test
  void report_countsByFieldWithoutItsKey_andTellsTheLast() {
    refusals.add("event.text", "event.text: is empty");
    refusals.add("event.metadata[one]", "event.metadata[one]: is long");
    refusals.add("event.metadata[two]", "event.metadata[two]: is long");
    RefusalReport report = refusals.report();
    assertThat(report.byReason()).isEqualTo(Map.of("event.text", 1L, "event.metadata", 2L));
    assertThat(report.last()).hasValue("event.metadata[two]: is long");
    assertThat(report.total()).isEqualTo(3);
  }

  @Test
  void reasons_beyondTheBound_areCountedTogether() {
    for (int i = 0; i < RefusalCounts.MOST_REASONS + 5; i++) {
      refusals.add("field" + i, "no");
    }
    assertThat(refusals.report().byReason())
        .hasSize(RefusalCounts.MOST_REASONS + 1)
        .containsEntry(RefusalCounts.OTHERS, 5L);
  }

  @Test
  void last_isCutWhereItIsLong() {
    refusals.add("event.text", "x".repeat(1000));
    assertThat(refusals.report().last()).map(String::length).isEqualTo(Optional.of(200));
    refusals.add("event.text", "x".repeat(200));
    assertThat(refusals.report().last()).contains("x".repeat(200));
  }

  @Test
  void threads_countTogether() {
    refusals.add("event.text", "is empty");
    assertThat(refusals.report().total()).isEqualTo(1);
    assertThat(CompletableFuture.runAsync(() -> refusals.add("event.text", "is empty")))
        .succeedsWithin(Duration.ofSeconds(10));
    assertThat(CompletableFuture.supplyAsync(() -> refusals.report().total()))
        .succeedsWithin(Duration.ofSeconds(10))
        .isEqualTo(2L);
    refusals.add("event.text", "is empty");
    assertThat(refusals.report().total()).isEqualTo(3);
  }
}
