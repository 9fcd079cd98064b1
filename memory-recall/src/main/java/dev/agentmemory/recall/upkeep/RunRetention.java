package dev.agentmemory.recall.upkeep;

import dev.agentmemory.recall.internal.record.RunRows;
import dev.agentmemory.recall.internal.record.UpkeepRun;
import dev.agentmemory.recall.memory.MemoryBatch;
import dev.agentmemory.recall.memory.MemoryCollection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// How long runs can be undone: the last [#RUNS], for [#AGE], as long as what they replaced has at
/// most [#BYTES]. The latest one stays in any case. The oldest leave first.
final class RunRetention {

  static final int RUNS = 100;
  static final Duration AGE = Duration.ofDays(90);
  static final long BYTES = 256L << 20;

  private RunRetention() {}

  /// Removes the runs that are not kept any more.
  static void apply(MemoryCollection memories, Instant now) {
    try (var _ = memories.exclusive()) {
      RunRows log = memories.rows().runs();
      for (UpkeepRun run : leaving(log.runs(), now)) {
        memories.commit(new MemoryBatch().with(log.drop(run)));
      }
    }
  }

  /// @param runs the earliest first
  static List<UpkeepRun> leaving(List<UpkeepRun> runs, Instant now) {
    List<UpkeepRun> leaving = new ArrayList<>();
    long bytes = runs.stream().mapToLong(UpkeepRun::bytes).sum();
    for (int i = 0; i < runs.size() - 1; i++) {
      UpkeepRun run = runs.get(i);
      boolean old = run.time().plus(AGE).isBefore(now);
      if (!old && runs.size() - i <= RUNS && bytes <= BYTES) {
        break;
      }
      bytes -= run.bytes();
      leaving.add(run);
    }
    return leaving;
  }
}
