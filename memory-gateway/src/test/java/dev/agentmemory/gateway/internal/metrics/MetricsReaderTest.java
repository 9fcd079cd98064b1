package dev.agentmemory.gateway.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.gateway.GatewayReport;
import dev.agentmemory.api.metrics.EngineMetrics;
import dev.agentmemory.api.metrics.IngestMetrics;
import dev.agentmemory.api.metrics.Occurrence;
import dev.agentmemory.api.metrics.OccurrenceKey;
import dev.agentmemory.api.metrics.WorkspaceMetrics;
import dev.agentmemory.api.metrics.WriteMetrics;
import dev.agentmemory.spi.measure.Distribution;
import dev.agentmemory.spi.measure.StorageFigures;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// How values are named and joined. That a daemon's page has what docs/metrics.md says is tested in
/// memory-daemon.
class MetricsReaderTest {

  private static String text(List<WorkspaceMetrics> workspaces, Distribution.Counts durations) {
    Distribution.Counts none = new Distribution(1).counts();
    var engine =
        new EngineMetrics(
            new WriteMetrics(durations, none, none, 2, 1),
            new IngestMetrics(none, 0, 0, 0),
            none,
            Map.of(new OccurrenceKey(Occurrence.JOB_FAILED, "compaction"), 3L),
            new EngineMetrics.BlockCache(1, 2),
            4,
            new EngineMetrics.WorkspaceStates(1, 1, 0),
            workspaces);
    return new MetricsReader(() -> engine, () -> GatewayReport.NONE).text();
  }

  private static WorkspaceMetrics workspace(String name, int secondsBehind) {
    var lag = new WorkspaceMetrics.Lag(5, Duration.ofSeconds(secondsBehind));
    return new WorkspaceMetrics(
        name,
        new WorkspaceMetrics.Size(7, 1, 0, 100, 10),
        new WorkspaceMetrics.Progress(lag, lag, Map.of("toc", lag), 0, 0),
        0,
        StorageFigures.NONE);
  }

  @Test
  void durations_areAHistogramInMilliseconds() {
    var durations = new Distribution(1_000, 2_500);
    durations.add(500);
    durations.add(2_000);
    durations.add(9_000);
    assertThat(text(List.of(), durations.counts()))
        .contains(
            "# TYPE memory_operations_write_duration_ms histogram",
            "memory_operations_write_duration_ms_bucket{le=\"1.0\"} 1\n",
            "memory_operations_write_duration_ms_bucket{le=\"2.5\"} 2\n",
            "memory_operations_write_duration_ms_bucket{le=\"+Inf\"} 3\n",
            "memory_operations_write_duration_ms_sum 11.5\n",
            "memory_operations_write_duration_ms_count 3\n");
  }

  @Test
  void counters_haveTheirOutcome_andThoseThatNeverOccurredAreZero() {
    assertThat(text(List.of(), new Distribution(1).counts()))
        .contains(
            "memory_locks_contention_count_total{outcome=\"waited\"} 2.0\n",
            "memory_locks_contention_count_total{outcome=\"refused\"} 1.0\n",
            "memory_jobs_runs_total{job=\"compaction\",outcome=\"failed\"} 3.0\n",
            "memory_errors_corruption_count_total 0.0\n",
            "memory_http_refused_total{outcome=\"token\"} 0.0\n")
        .doesNotContain("workspace=\"a\"");
  }

  @Test
  void workspacesBeyondTheLimit_areJoined_sizesBySumAndTimesByTheLongest() {
    List<WorkspaceMetrics> workspaces =
        IntStream.range(0, WorkspaceLabels.MOST + 3).mapToObj(i -> workspace("w" + i, i)).toList();
    String text = text(workspaces, new Distribution(1).counts());
    assertThat(text)
        .contains(
            "memory_events{workspace=\"w0\"} 7.0\n",
            "memory_events{workspace=\"@other\"} 21.0\n",
            "memory_size_bytes{workspace=\"@other\"} 330.0\n",
            "memory_outbox_lag{consumer=\"toc\",workspace=\"@other\"} 15.0\n",
            "memory_toc_freshness_seconds{workspace=\"w3\"} 3.0\n",
            "memory_toc_freshness_seconds{workspace=\"@other\"} 22.0\n")
        .doesNotContain("workspace=\"w20\"");
  }
}
