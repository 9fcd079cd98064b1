package dev.agentmemory.pipeline.job;

import dev.agentmemory.store.Checkpoint;
import dev.agentmemory.store.MemoryStore;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// The state of a job that survives a restart.
///
/// @param pausedItself whether it is paused because its body refused to continue
/// @param countedFrom when its last run began, or when it was first seen; empty for jobs that run
///   so often that a restart may start a new period
record JobMark(
    boolean paused, boolean pausedItself, Optional<Instant> countedFrom, JobHistory history) {

  private static final String PAUSED = "paused";
  private static final String PAUSED_ITSELF = "paused_itself";
  private static final String COUNTED_FROM = "counted_from_ms";

  static JobMark read(MemoryStore store, String job) {
    Map<String, String> kept =
        store.checkpoints().checkpoint(name(job)).map(Checkpoint::attributes).orElse(Map.of());
    return new JobMark(
        Boolean.parseBoolean(kept.getOrDefault(PAUSED, "false")),
        Boolean.parseBoolean(kept.getOrDefault(PAUSED_ITSELF, "false")),
        Optional.ofNullable(kept.get(COUNTED_FROM)).map(Long::valueOf).map(Instant::ofEpochMilli),
        JobHistory.from(kept));
  }

  Checkpoint toCheckpoint(String job) {
    Map<String, String> kept = new HashMap<>(history.toAttributes());
    kept.put(PAUSED, Boolean.toString(paused));
    kept.put(PAUSED_ITSELF, Boolean.toString(pausedItself));
    countedFrom.ifPresent(time -> kept.put(COUNTED_FROM, Long.toString(time.toEpochMilli())));
    return new Checkpoint(name(job), 0, kept);
  }

  JobMark withPaused(boolean value) {
    return new JobMark(value, value && pausedItself, countedFrom, history);
  }

  private static String name(String job) {
    return "job:" + job;
  }
}
