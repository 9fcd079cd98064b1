package dev.agentmemory.engine.internal.recall;

import dev.agentmemory.recall.derive.MemoryExtraction;
import dev.agentmemory.recall.derive.MemoryExtraction.Step;
import dev.agentmemory.recall.derive.RefinementCounts;
import dev.agentmemory.spi.Job;
import dev.agentmemory.spi.JobControl;
import dev.agentmemory.spi.Schedule;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.SegmentId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.WorkspaceName;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/// The job that extracts memories from closed segments: those that change while it runs soon after,
/// and those that a store has already once, in the background.
///
/// It begins later while callers add memories, because these would wait for its commits. It ends
/// between two steps when it is paused or interrupted, and after a while, so that other jobs get
/// their turn; then it triggers itself.
public final class ExtractionJob {

  /// The job's name.
  public static final String NAME = "memory_extraction";

  /// Segments of a step, which is one commit of memories and one of progress.
  private static final int STEP = 50;

  /// Segments that close close together, as the end of a session and what precedes it.
  private static final Duration QUIET = Duration.ofMillis(500);

  /// A run is put off at most so often.
  private static final Duration PUT_OFF = Duration.ofMillis(100);

  private static final Duration SAFETY_NET = Duration.ofMinutes(10);

  /// Between two consolidations that are planned here: one takes seconds.
  private static final Duration CONSOLIDATED = Duration.ofMinutes(1);

  /// After this time other jobs get their turn.
  private static final Duration LONGEST = Duration.ofSeconds(5);

  private final SystemServices system;
  private final JobControl control;
  private final ExtractionOwners owners;
  private final boolean refines;
  private final Map<Optional<WorkspaceName>, MemoryExtraction> extractions =
      new ConcurrentHashMap<>();

  /// When a run was put off for the last time.
  private volatile Instant putOff = Instant.EPOCH;

  /// When a consolidation was planned for the last time. Used by the runs only.
  private Instant consolidated = Instant.EPOCH;

  /// @param refines whether a model is configured, so that a run reports what it was asked
  public ExtractionJob(
      SystemServices system, JobControl control, ExtractionOwners owners, boolean refines) {
    this.system = system;
    this.control = control;
    this.owners = owners;
    this.refines = refines;
  }

  /// @param timeout of a run
  public Job job(Duration timeout) {
    var schedule = new Schedule.OnTrigger(QUIET, QUIET.multipliedBy(10), SAFETY_NET);
    return new Job(NAME, schedule, timeout, new Body(), this::due);
  }

  /// Begins with what a stop, or a version without extraction, has left undone.
  public void start() {
    owners.all().forEach(this::of);
    control.trigger(NAME);
  }

  /// Notes segments that were written or retired. To be called with every change of the table of
  /// contents once it is durable.
  public void nodesChanged(Set<NodeId> nodes) {
    boolean any = false;
    for (NodeId node : nodes) {
      if (node.level() == TocLevel.SEGMENT) {
        of(node.workspace()).segmentChanged(SegmentId.of(node).plain());
        any = true;
      }
    }
    if (any) {
      control.trigger(NAME);
    }
  }

  /// Extracts what the segments of a conversation that has ended do not cover.
  ///
  /// @param owner empty in a store of one workspace
  /// @param session without the workspace's name
  /// @return whether that was done; false while the job is paused
  public boolean lastExtraction(Optional<WorkspaceName> owner, SessionId session) {
    if (control.isPaused(NAME)) {
      return false;
    }
    var _ = of(owner).lastExtraction(session);
    return true;
  }

  /// Whether a conversation that has ended has events that [#lastExtraction] would read. Cheap.
  public boolean isLeft(Optional<WorkspaceName> owner, SessionId session) {
    return !control.isPaused(NAME) && of(owner).isLeft(session);
  }

  private MemoryExtraction of(Optional<WorkspaceName> owner) {
    return extractions.computeIfAbsent(owner, this::open);
  }

  private MemoryExtraction open(Optional<WorkspaceName> owner) {
    MemoryExtraction extraction = owners.open(owner);
    extraction.whenAdded(() -> putOff(extraction));
    return extraction;
  }

  private void putOff(MemoryExtraction extraction) {
    Instant now = system.now();
    if (extraction.isPending() && !now.isBefore(putOff.plus(PUT_OFF))) {
      putOff = now;
      control.trigger(NAME);
    }
  }

  private Optional<Instant> due() {
    boolean pending = extractions.values().stream().anyMatch(MemoryExtraction::isPending);
    return pending ? Optional.of(system.now()) : Optional.empty();
  }

  private final class Body implements Job.Body {

    @Override
    public Map<String, String> run() {
      return extract(() -> control.isPaused(NAME));
    }

    /// Also while it is paused.
    @Override
    public Map<String, String> runOnRequest() {
      return extract(() -> false);
    }
  }

  /// One workspace that cannot be read does not keep the others from their turn.
  private Map<String, String> extract(BooleanSupplier paused) {
    Instant end = system.now().plus(LONGEST);
    BooleanSupplier ends =
        () ->
            Thread.currentThread().isInterrupted()
                || paused.getAsBoolean()
                || !system.now().isBefore(end);
    long segments = 0;
    long memories = 0;
    var refined = RefinementCounts.NONE;
    Optional<MemoryException> failure = Optional.empty();
    for (MemoryExtraction extraction : extractions.values()) {
      try {
        boolean more = true;
        while (more && !ends.getAsBoolean()) {
          // A model takes its time, so the run looks more often whether it has to end.
          Step step = extraction.step(extraction.asksModel() ? 1 : STEP);
          segments += step.segments();
          memories += step.memories();
          refined = refined.plus(step.refined());
          more = step.segments() > 0;
        }
      } catch (MemoryException e) {
        failure = failure.or(() -> Optional.of(e));
      }
    }
    if (failure.isPresent()) {
      throw failure.get();
    }
    if (due().isPresent()) {
      control.trigger(NAME);
    }
    consolidateEarly();
    return done(segments, memories, refined);
  }

  /// The memories that the cap allows fit into the heap; a day of extraction may not.
  private void consolidateEarly() {
    Instant now = system.now();
    if (!now.isBefore(consolidated.plus(CONSOLIDATED))
        && extractions.values().stream().anyMatch(MemoryExtraction::exceedsCap)) {
      consolidated = now;
      control.plan(StoreRecall.CONSOLIDATION, Duration.ZERO);
    }
  }

  private Map<String, String> done(long segments, long memories, RefinementCounts refined) {
    Map<String, String> done = new LinkedHashMap<>();
    done.put("segments", Long.toString(segments));
    done.put("memories", Long.toString(memories));
    long refused = extractions.values().stream().mapToLong(MemoryExtraction::refused).sum();
    if (refused > 0) {
      done.put("refused", Long.toString(refused));
    }
    if (refines) {
      done.put("asked", Long.toString(refined.asked()));
      done.put("unanswered", Long.toString(refined.unanswered()));
      done.put("dropped", Long.toString(refined.dropped()));
    }
    return done;
  }
}
