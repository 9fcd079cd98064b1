package dev.agentmemory.bench.daemon;

import dev.agentmemory.api.JobStatus;
import dev.agentmemory.client.MemoryClient;
import java.util.List;
import java.util.Set;

/// The daemon's background work on new events.
public final class Workers {

  /// The job that embeds events. While it is paused nothing is embedded. It does not exist without
  /// embeddings.
  public static final String EMBEDDING = "embedding_backfill";

  /// The job that calibrates the relevance of hits.
  public static final String CALIBRATION = "search_calibration";

  private static final Set<String> JOBS =
      Set.of(
          "toc_projection",
          "search_projection",
          "segment_digest",
          "segment_flush",
          "toc_rollup_day",
          "toc_rollup_week",
          "toc_rollup_month",
          "toc_rollup_year");

  private Workers() {}

  public static void pause(MemoryClient client) {
    existing(client).forEach(client.jobs()::pause);
  }

  public static void resume(MemoryClient client) {
    existing(client).forEach(client.jobs()::resume);
  }

  /// An earlier package that is compared may lack some.
  private static List<String> existing(MemoryClient client) {
    return client.jobs().list().jobs().stream()
        .map(JobStatus::name)
        .filter(JOBS::contains)
        .toList();
  }
}
