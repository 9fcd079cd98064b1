package dev.agentmemory.storage.job;

import dev.agentmemory.spi.Job;
import dev.agentmemory.spi.JobControl;
import dev.agentmemory.spi.Schedule;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.store.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// The jobs that check and maintain a store.
public final class StoreJobs {

  /// On request it reads everything; the caller waits and can cancel it.
  private static final Duration LONGEST_SCRUB = Duration.ofDays(1);

  /// A daemon that starts has more urgent work.
  private static final Duration AFTER_START = Duration.ofSeconds(60);

  private final SystemServices system;
  private final MemoryStore store;
  private final Duration scrubPeriod;
  private final Duration timeout;
  private final Scrub scrub;

  /// @param scrubPeriod in which every file is read; zero for only on request
  /// @param timeout of a run
  public StoreJobs(
      SystemServices system, MemoryStore store, Duration scrubPeriod, Duration timeout) {
    this.system = system;
    this.store = store;
    this.scrubPeriod = scrubPeriod;
    this.timeout = timeout;
    this.scrub =
        new Scrub(system.clock(), system.sleeper(), store, scrubPeriod, timeout.dividedBy(2));
  }

  public List<Job> jobs(Schedule compaction, Schedule integrityCheck) {
    var check = new IntegrityCheck(system.ticker(), system.sleeper(), store);
    Schedule scrubs =
        scrubPeriod.isZero()
            ? new Schedule.OnRequest()
            : new Schedule.Every(Scrub.every(scrubPeriod));
    return List.of(
        new Job("compaction", compaction, timeout, this::compacted),
        // Clients look for its findings by this name.
        new Job("integrity_check", integrityCheck, timeout, check::run),
        new Job(Scrub.NAME, scrubs, LONGEST_SCRUB, scrub, scrub::due));
  }

  /// Plans the scrub when files were not read in time, because the store was closed.
  public void start(JobControl control) {
    if (scrub.due().filter(due -> !due.isAfter(system.now())).isPresent()) {
      control.plan(Scrub.NAME, AFTER_START);
    }
  }

  private Map<String, String> compacted() {
    store.compact();
    return Map.of("disk_bytes", Long.toString(store.stats().diskBytes()));
  }
}
