package dev.agentmemory.bench.daemon;

import dev.agentmemory.client.MemoryClient;
import java.util.List;

/// The daemon's background work on new events.
public final class Workers {

  /// The job that embeds events. While it is paused nothing is embedded. It does not exist without
  /// embeddings.
  public static final String EMBEDDING = "embedding_backfill";

  private static final List<String> JOBS =
      List.of(
          "toc_projection",
          "search_projection",
          "segment_flush",
          "toc_rollup_day",
          "toc_rollup_week",
          "toc_rollup_month",
          "toc_rollup_year");

  private Workers() {}

  public static void pause(MemoryClient client) {
    JOBS.forEach(client.jobs()::pause);
  }

  public static void resume(MemoryClient client) {
    JOBS.forEach(client.jobs()::resume);
  }
}
