package dev.agentmemory.bench;

import dev.agentmemory.client.MemoryClient;
import java.util.List;

/// The daemon's background work on new events.
final class Workers {

  /// The job that embeds events. While it is paused nothing is embedded. It does not exist without
  /// embeddings.
  static final String EMBEDDING = "embedding_backfill";

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

  static void pause(MemoryClient client) {
    JOBS.forEach(client.jobs()::pause);
  }

  static void resume(MemoryClient client) {
    JOBS.forEach(client.jobs()::resume);
  }
}
