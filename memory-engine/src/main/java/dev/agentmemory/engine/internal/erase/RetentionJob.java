package dev.agentmemory.engine.internal.erase;

import dev.agentmemory.api.Jobs;
import dev.agentmemory.engine.config.RetentionConfig;
import dev.agentmemory.engine.config.RetentionConfig.Kept;
import dev.agentmemory.spi.Job;
import dev.agentmemory.spi.Schedule;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.StoreStats;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.WorkspaceName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// Erases events that are not kept any more. What was made of them goes, too, except memories.
public final class RetentionJob {

  /// The job.
  public static final String NAME = "retention";

  private static final Duration LONGEST = Duration.ofDays(1);
  private static final int PAGE = 1000;
  private static final Instant END = Instant.ofEpochMilli(Long.MAX_VALUE);

  private final SystemServices system;
  private final MemoryStore store;
  private final StoreErasure erasure;
  private final Jobs jobs;
  private final Supplier<List<Optional<WorkspaceName>>> owners;
  private final Kept kept;

  /// @param jobs runs the job that makes files anew
  /// @param owners the workspaces of the store; an empty one for its only one
  public RetentionJob(
      SystemServices system,
      MemoryStore store,
      StoreErasure erasure,
      Jobs jobs,
      Supplier<List<Optional<WorkspaceName>>> owners,
      RetentionConfig config) {
    this.system = system;
    this.store = store;
    this.erasure = erasure;
    this.jobs = jobs;
    this.owners = owners;
    this.kept = config.events();
  }

  public Job job(Schedule schedule) {
    return new Job(NAME, schedule, LONGEST, this::run);
  }

  private Map<String, String> run() {
    long erased = 0;
    long some;
    do {
      some = expire();
      erased += some;
      // How much smaller the files get is not known before; the next run looks again.
    } while (some > 0 && kept instanceof Kept.Younger && !Thread.currentThread().isInterrupted());
    return Map.of("events", Long.toString(erased));
  }

  private long expire() {
    Optional<Instant> before = before();
    if (before.isEmpty()) {
      return 0;
    }
    long erased = 0;
    for (Optional<WorkspaceName> owner : owners.get()) {
      long events = erasure.expire(owner, before.get());
      if (events > 0) {
        var _ = jobs.run(StoreErasure.JOB);
      }
      erased += events;
    }
    return erased;
  }

  /// Events of earlier times are not kept; empty while all are.
  private Optional<Instant> before() {
    return switch (kept) {
      case Kept.Forever _ -> Optional.empty();
      case Kept.Younger(Duration age) -> Optional.of(system.now().minus(age));
      case Kept.Latest(long bytes) -> before(bytes);
    };
  }

  /// The time before which there are as many events as the store is too large for, if all take the
  /// same space.
  private Optional<Instant> before(long bytes) {
    StoreStats stats = store.stats();
    if (stats.diskBytes() <= bytes) {
      return Optional.empty();
    }
    long left = (long) Math.ceil(stats.events() * (1 - (double) bytes / stats.diskBytes()));
    Optional<EventKey> last = Optional.empty();
    while (left > 0) {
      List<EventKey> page =
          store.events().eventKeys(Instant.EPOCH, END, last, (int) Math.min(left, PAGE));
      if (page.isEmpty()) {
        break;
      }
      last = Optional.of(page.getLast());
      left -= page.size();
    }
    return last.map(key -> key.timestamp().plusMillis(1));
  }
}
