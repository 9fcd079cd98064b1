package dev.agentmemory.bench.recall;

import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.Workers;
import dev.agentmemory.client.MemoryClient;

/// The daemon's own work on memories.
final class MemoryJobs {

  /// The job that merges and deletes memories. It is paused where the number of memories must not
  /// change.
  static final String CONSOLIDATION = "consolidation";

  private MemoryJobs() {}

  /// Computes the vectors of all memories.
  static void awaitVectors(BenchDaemon daemon) {
    MemoryClient client = daemon.client();
    daemon.awaitUntil(
        "the vectors of the memories",
        () -> {
          if (client.recall().memories().stats().withoutVector() == 0) {
            return true;
          }
          var _ = client.jobs().run(Workers.EMBEDDING);
          return false;
        });
  }
}
