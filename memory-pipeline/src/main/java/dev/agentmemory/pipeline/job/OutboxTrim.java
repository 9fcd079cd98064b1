package dev.agentmemory.pipeline.job;

import dev.agentmemory.spi.Job;
import dev.agentmemory.spi.Schedule;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/// Drops the outbox entries that all consumers have applied.
///
/// @param cursors how far each consumer has come, at least one
public record OutboxTrim(MemoryStore store, List<LongSupplier> cursors) {

  public Job job(Schedule schedule, Duration timeout) {
    return new Job("outbox_trim", schedule, timeout, this::run);
  }

  private Map<String, String> run() {
    long cursor = cursors.stream().mapToLong(LongSupplier::getAsLong).min().orElseThrow();
    long tail = store.stats().outboxTail();
    if (tail > cursor) {
      return Map.of("entries", "0");
    }
    store.commit(Commit.of(new Change.TrimOutbox(cursor)));
    return Map.of("entries", Long.toString(cursor - tail + 1));
  }
}
