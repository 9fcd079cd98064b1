package dev.agentmemory.recall.upkeep;

import com.github.f4b6a3.ulid.Ulid;
import dev.agentmemory.api.recall.MemoryLifetime;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemoryUse;
import dev.agentmemory.api.upkeep.ConsolidationCounts;
import dev.agentmemory.recall.internal.record.MemoryRows;
import dev.agentmemory.recall.internal.record.RunRows;
import dev.agentmemory.recall.internal.record.UpkeepRun;
import dev.agentmemory.recall.internal.table.MemoryEntry;
import dev.agentmemory.recall.memory.MemoryBatch;
import dev.agentmemory.recall.memory.MemoryCollection;
import dev.agentmemory.recall.upkeep.UpkeepStep.Merged;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Carries out a plan, in one or more commits. Each commit has changes, what they replace and the
/// row of the run, so no change is ever without its entry in the log. A run that is cut off is an
/// entry of what was done until then; the next run does the rest.
///
/// The plan was made without a lock. A step whose memories have changed since is left out, and one
/// that names a memory which is gone or says something else; the next run decides again.
final class RunWriter {

  /// Steps and former states, in characters, of a commit.
  record PartLimits(int steps, long bytes) {

    /// Whatever changes a part, such as an erasure, reads, parses and writes it as one text, which
    /// takes some ten times its size of the heap; and each part that it changes is a commit.
    static final PartLimits DEFAULT = new PartLimits(1000, 512L << 10);
  }

  private final SystemServices system;
  private final MemoryCollection memories;
  private final MemoryRows rows;
  private final RunRows log;
  private final String kind;
  private final Optional<SessionId> session;
  private final PartLimits limits;
  private Optional<UpkeepRun> run = Optional.empty();

  /// @param kind of [UpkeepRun]
  /// @param session that is compacted
  RunWriter(
      SystemServices system,
      MemoryCollection memories,
      String kind,
      Optional<SessionId> session,
      PartLimits limits) {
    this.system = system;
    this.memories = memories;
    this.rows = memories.rows();
    this.log = rows.runs();
    this.kind = kind;
    this.session = session;
    this.limits = limits;
  }

  /// Ends early when a caller undoes the run meanwhile.
  ///
  /// @return the entry of the log; empty when nothing was changed
  Optional<UpkeepRun> write(UpkeepPlan plan) {
    Instant now = Instant.ofEpochMilli(system.clock().millis());
    int next = 0;
    while (next < plan.steps().size()) {
      try (var _ = memories.exclusive()) {
        if (isUndone()) {
          return run;
        }
        next = writePart(plan, next, now);
      }
    }
    return run;
  }

  /// Whether an undo has begun since the last part. A further part would bring back an entry of the
  /// log that names parts which are gone. Takes over what the log has.
  private boolean isUndone() {
    Optional<UpkeepRun> stored = run.flatMap(one -> log.run(one.id()));
    boolean goesOn = run.isEmpty() || stored.filter(one -> one.undoneParts() == 0).isPresent();
    run = stored.or(() -> run);
    return !goesOn;
  }

  private int writePart(UpkeepPlan plan, int from, Instant now) {
    var batch = new MemoryBatch();
    RunRows.Part part = log.part();
    UpkeepRun before = run.orElseGet(() -> begin(plan, now));
    ConsolidationCounts counts = before.counts();
    int next = from;
    while (next < plan.steps().size()
        && next - from < limits.steps()
        && part.bytes() < limits.bytes()) {
      UpkeepStep step = plan.steps().get(next++);
      if (holds(step) && add(step, batch, part, now)) {
        counts = UpkeepPlan.sum(counts, step.counts());
      }
    }
    if (!batch.isEmpty()) {
      UpkeepRun after = before.plus(counts, part.bytes());
      batch.with(part.changes(after.id(), after.parts())).with(List.of(log.put(after)));
      memories.commit(batch);
      run = Optional.of(after);
    }
    return next;
  }

  /// Runs have ascending ids, also if the clock was set back: an undo has to know the later ones.
  private UpkeepRun begin(UpkeepPlan plan, Instant now) {
    byte[] tail = new byte[Ulid.RANDOM_BYTES];
    system.random().nextBytes(tail);
    Ulid drawn = new Ulid(now.toEpochMilli(), tail);
    List<UpkeepRun> runs = log.runs();
    Ulid id = runs.isEmpty() ? drawn : later(drawn, Ulid.from(runs.getLast().id().value()));
    return new UpkeepRun(
        MemoryId.of(id.toString()),
        kind,
        session,
        now,
        plan.scoredOnly(),
        /* parts= */ 0,
        /* undoneParts= */ 0,
        /* bytes= */ 0,
        Optional.empty());
  }

  private static Ulid later(Ulid drawn, Ulid last) {
    return drawn.compareTo(last) > 0 ? drawn : last.increment();
  }

  private boolean holds(UpkeepStep step) {
    return step.entries().stream().allMatch(this::isUnchanged)
        && step.named().map(this::saysTheSame).orElse(true);
  }

  /// Whether a memory is as it was planned, apart from reads and from its vector, which is computed
  /// some time after the memory was stored.
  private boolean isUnchanged(MemoryEntry planned) {
    return memories
        .table()
        .entry(planned.id())
        .map(now -> now.withUse(planned.use()).withVector(planned.vector()).equals(planned))
        .orElse(false);
  }

  /// Whether a memory still says what it was planned with, from the same time on. A former step may
  /// have ended its validity.
  private boolean saysTheSame(MemoryEntry planned) {
    return memories
        .table()
        .entry(planned.id())
        .map(now ->
            now.statement().equals(planned.statement())
                && now.kind() == planned.kind()
                && now.validity().validFrom().equals(planned.validity().validFrom()))
        .orElse(false);
  }

  /// @return false when a memory cannot be read
  private boolean add(UpkeepStep step, MemoryBatch batch, RunRows.Part part, Instant now) {
    return switch (step) {
      case UpkeepStep.Removed(MemoryEntry entry, UpkeepStep.Cause cause) -> {
        batch.drop(entry.id(), now, kind + ": " + cause.reason);
        logRemoved(part, entry);
        yield true;
      }
      case UpkeepStep.Promoted(MemoryEntry entry) ->
          change(
              batch,
              part,
              entry,
              memories
                  .read(entry)
                  .map(memory -> MergeFields.withLifetime(memory, MemoryLifetime.LONG_TERM)),
              now,
              "promotion");
      case UpkeepStep.Superseded(MemoryEntry entry, MemoryEntry by) ->
          change(
              batch,
              part,
              entry,
              memories
                  .read(entry)
                  .map(memory ->
                      memory.withValidity(
                          memory.validity().superseded(by.validity().validFrom(), by.id()))),
              now,
              "supersession");
      case Merged merged -> merge(merged, batch, part, now);
    };
  }

  private boolean change(
      MemoryBatch batch,
      RunRows.Part part,
      MemoryEntry entry,
      Optional<MemoryRecord> changed,
      Instant now,
      String reason) {
    Optional<MemoryRecord> former = memories.read(entry);
    if (changed.isEmpty() || former.isEmpty()) {
      return false;
    }
    MemoryUse use = use(entry);
    part.add(entry.id(), stored(entry), use, changed, use);
    batch.change(former.get(), changed.get(), now, reason);
    return true;
  }

  private boolean merge(Merged step, MemoryBatch batch, RunRows.Part part, Instant now) {
    List<MemoryRecord> all =
        step.entries().stream().flatMap(entry -> memories.read(entry).stream()).toList();
    if (all.size() < step.entries().size()) {
      return false;
    }
    MemoryRecord survivor = all.getFirst();
    for (MemoryRecord member : all.subList(1, all.size())) {
      batch.merge(member, survivor.id());
    }
    step.parts().forEach(entry -> logRemoved(part, entry));
    if (step.fate() == Merged.Fate.CAPPED) {
      batch.drop(survivor.id(), now, kind + ": " + UpkeepStep.Cause.CAPPED.reason);
      logRemoved(part, step.survivor());
      return true;
    }
    MemoryRecord united = MergeFields.merged(all);
    MemoryRecord changed =
        step.fate() == Merged.Fate.PROMOTED
            ? MergeFields.withLifetime(united, MemoryLifetime.LONG_TERM)
            : united;
    MemoryUse use =
        step.entries().stream().map(this::use).reduce((a, b) -> a.plus(b)).orElseThrow();
    part.add(
        survivor.id(), stored(step.survivor()), use(step.survivor()), Optional.of(changed), use);
    batch.change(survivor, changed, now, "merge").use(survivor.id(), use);
    return true;
  }

  private void logRemoved(RunRows.Part part, MemoryEntry entry) {
    part.add(entry.id(), stored(entry), use(entry), Optional.empty(), MemoryUse.NEVER);
  }

  private List<StoredRecord> stored(MemoryEntry entry) {
    return rows.rowsOf(entry.id());
  }

  /// As it is now: access counts in the heap are newer than their rows.
  private MemoryUse use(MemoryEntry entry) {
    return memories.table().entry(entry.id()).map(MemoryEntry::use).orElse(entry.use());
  }
}
