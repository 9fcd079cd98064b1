package dev.agentmemory.bench.recall;

import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.Workers;
import dev.agentmemory.client.MemoryClient;

/// The daemon's own work on memories.
final class MemoryJobs {

  /// The job that merges and deletes memories. It is paused where the number of memories must not
  /// change.
  static final String CONSOLIDATION = "consolidation";

  private static final String EXTRACTION = "memory_extraction";

  private MemoryJobs() {}

  /// Waits until memories were extracted from all closed segments.
  static void awaitExtracted(BenchDaemon daemon) {
    MemoryClient client = daemon.client();
    daemon.awaitUntil(
        "the extraction of memories",
        () -> "0".equals(client.jobs().run(EXTRACTION).getOrDefault("segments", "0")));
  }

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
