package dev.agentmemory.bench;

import dev.agentmemory.client.MemoryClient;
import java.util.List;

/// What the daemon does by itself with events that come in.
final class Workers {

  /// Gives events vectors; paused, nothing is embedded. There is no such job without embeddings.
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
