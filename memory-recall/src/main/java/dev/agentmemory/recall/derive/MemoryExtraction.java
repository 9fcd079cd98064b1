package dev.agentmemory.recall.derive;

import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.recall.memory.AddOutcome;
import dev.agentmemory.recall.memory.MemoryBatch;
import dev.agentmemory.recall.memory.MemoryCollection;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.EventSlice;
import dev.agentmemory.store.StoreReader;
import dev.agentmemory.store.record.RecordReader;
import dev.agentmemory.types.Boundary;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.Grip;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.SegmentEntry;
import dev.agentmemory.types.SegmentId;
import dev.agentmemory.types.SessionId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Extracts memories from the closed segments of one workspace.
///
/// Idea: each turn is read on its own, and the id and time of a memory follow from its event. So
/// reading a segment again, whole or cut in another way, adds nothing twice; what was deleted stays
/// deleted. Memories are committed before the note that their segment is done; a crash in between
/// lets the segment be read again.
///
/// Where a [StatementRefiner] is given, it is asked once about the turns of a closed segment
/// ([TurnRefinement]); whatever comes of it, the segment is done then.
///
/// The exception is a segment of which a memory was refused, because a quota is used up. It is read
/// again when it changes and once after each start, and turns without a result are asked about
/// again.
///
/// Open segments yield nothing until [#lastExtraction]. A segment that is retired or opened again
/// leaves its memories, because its events are still there.
///
/// All methods may be called from any thread. One step runs at a time.
public final class MemoryExtraction {

  private static final Logger LOG = LoggerFactory.getLogger(MemoryExtraction.class);

  /// UTF-16 units of events that are in memory at the same time.
  private static final long MOST_CHARS = 2L << 20;

  /// UTF-16 units of events after which a step ends early.
  private static final long STEP_CHARS = 8L << 20;

  private static final int PAGE = 256;

  /// Memories of a commit. A caller's write waits while one is made, and a step can have thousands.
  static final int COMMITTED = 64;

  private final StoreReader log;
  private final MemoryCollection memories;
  private final ExtractionProgress progress;
  private final PendingSegments pending;
  private final StatementRefiner refiner;
  private final TurnRefinement refinement;
  private final Mutex turn = new Mutex();
  private final AtomicLong refused = new AtomicLong();

  /// @param log what the workspace has in the event log
  /// @param records of the store of the memories
  /// @param memories of the workspace
  /// @param refiner revises what the rules find
  public MemoryExtraction(
      StoreReader log, RecordReader records, MemoryCollection memories, StatementRefiner refiner) {
    this.log = log;
    this.memories = memories;
    this.progress = new ExtractionProgress(records, memories.rows().keys().owner());
    this.pending = new PendingSegments(log, progress);
    this.refiner = refiner;
    this.refinement = new TurnRefinement(records, memories, refiner);
  }

  /// What a step did.
  ///
  /// @param segments that were looked at; 0 when none is left
  /// @param memories that are new
  /// @param refined what was asked of a model
  public record Step(int segments, long memories, RefinementCounts refined) {

    static final Step NONE = new Step(0, 0, RefinementCounts.NONE);
  }

  /// Removes what a model said of an event whose text changes, because it names places in the text.
  ///
  /// @param event as its store has it
  public static Change dropRefinement(Event event) {
    return RefinedTurns.drop(
        event.session().workspace().map(name -> "@" + name.value() + "/").orElse(""),
        event.plain());
  }

  /// Notes that a segment was written, closed, cut again or retired. Short.
  public void segmentChanged(SegmentId id) {
    pending.add(id);
  }

  /// Sets what is run when a caller adds memories, which wait while a step commits its own. It must
  /// return at once.
  public void whenAdded(Runnable action) {
    memories.whenAdded(action);
  }

  /// Whether a step may find work. Cheap.
  public boolean isPending() {
    return pending.isPending();
  }

  /// How many memories were refused since this was opened, because a quota is used up; one that was
  /// refused again counts again. Cheap.
  public long refused() {
    return refused.get();
  }

  /// Whether the memories should be consolidated soon, because a scope has many more than its cap.
  /// Cheap.
  public boolean exceedsCap() {
    return memories.exceedsCap();
  }

  /// Whether a step may wait for a model; then it should have few segments. Cheap.
  public boolean asksModel() {
    return refiner.isReady();
  }

  /// Extracts from the next segments, the latest first. To be repeated until nothing is left; a
  /// step that fails leaves its segments for the next one.
  ///
  /// @param limit most segments, 1 and up
  public Step step(int limit) {
    try (var _ = turn.hold()) {
      List<SegmentId> taken = pending.take(limit);
      return taken.isEmpty() ? Step.NONE : extract(taken, /* ask= */ true);
    }
  }

  /// Extracts what the segments of a conversation that has ended do not cover: those that are still
  /// open, and events that are in none. Asks no model. A safety net; to be called before its
  /// memories of scope conversation are dropped.
  ///
  /// @return how many memories are new
  public long lastExtraction(SessionId session) {
    try (var _ = turn.hold()) {
      List<SegmentId> left = pending.notDone(session);
      long added = left.isEmpty() ? 0 : extract(left, /* ask= */ false).memories();
      long events = events(session);
      if (isRead(session, events)) {
        return added;
      }
      added += readAll(session);
      memories.commit(new MemoryBatch().with(List.of(progress.putAllRead(session, events))));
      return added;
    }
  }

  /// Whether a session has events that [#lastExtraction] would read. Reads no event. Also false
  /// while a step may find work, which reads closed segments better.
  public boolean isLeft(SessionId session) {
    return !isPending() && !isRead(session, events(session));
  }

  private long events(SessionId session) {
    return log.sessions().session(session).map(known -> known.events()).orElse(0L);
  }

  private boolean isRead(SessionId session, long events) {
    return events == progress.events(session) || events == progress.allRead(session);
  }

  private long readAll(SessionId session) {
    long added = 0;
    Optional<EventKey> after = Optional.empty();
    List<EventKey> keys;
    do {
      keys = log.sessions().eventsAfter(session, after, PAGE);
      var reading = new Reading(Optional.empty(), List.of());
      var _ = reading.read(keys);
      added += store(reading.drafts).added();
      after = keys.isEmpty() ? after : Optional.of(keys.getLast());
    } while (keys.size() == PAGE);
    return added;
  }

  /// @param ask whether a model may be asked
  private Step extract(List<SegmentId> taken, boolean ask) {
    boolean done = false;
    try {
      Step step = extractAll(taken, ask);
      done = true;
      return step;
    } finally {
      if (!done) {
        taken.forEach(pending::add);
      }
    }
  }

  private Step extractAll(List<SegmentId> taken, boolean ask) {
    List<ReadSegment> read = new ArrayList<>();
    var noted = new Noted();
    var refined = RefinementCounts.NONE;
    boolean interrupted = false;
    long chars = 0;
    int looked = 0;
    for (SegmentId id : taken) {
      Optional<Segment> segment = log.segments().segment(id);
      if (interrupted || chars > STEP_CHARS) {
        pending.add(id);
        continue;
      }
      if (segment.isPresent() && segment.get().boundary() != Boundary.OPEN) {
        Reading reading = closed(segment.get(), ask, read);
        chars += reading.chars;
        refined = refined.plus(reading.refined);
        interrupted = reading.interrupted;
      } else {
        session(id, segment).ifPresent(session -> noted.drop(session, id));
      }
      looked += interrupted ? 0 : 1;
    }
    Stored stored = store(read.stream().flatMap(one -> one.drafts().stream()).toList());
    // A note names its session. Those of an erased session are removed, which takes this lock.
    try (var _ = memories.exclusive()) {
      read.stream()
          .filter(one -> !stored.misses(one.drafts()))
          .filter(one -> log.segments().segment(one.segment().id()).isPresent())
          .forEach(noted::put);
      memories.commit(new MemoryBatch().with(noted.changes()));
    }
    return new Step(looked, stored.added(), refined);
  }

  /// A closed segment that was read whole.
  ///
  /// @param before as what it was noted
  private record ReadSegment(
      Segment segment,
      ExtractionProgress.Done done,
      Optional<ExtractionProgress.Done> before,
      List<MemoryDraft> drafts) {}

  /// What became of drafts.
  ///
  /// @param added how many are new
  /// @param refused by identity: the same memory may be stated in two segments
  private record Stored(long added, Set<MemoryDraft> refused) {

    boolean misses(List<MemoryDraft> drafts) {
      return !refused.isEmpty() && drafts.stream().anyMatch(refused::contains);
    }
  }

  private Optional<SessionId> session(SegmentId id, Optional<Segment> segment) {
    return segment
        .map(Segment::session)
        .or(() -> log.events().event(id.firstEvent()).map(Event::session));
  }

  /// @return what was read
  private Reading closed(Segment segment, boolean ask, List<ReadSegment> read) {
    var reading = new Reading(ask ? Optional.of(segment.node()) : Optional.empty(), grips(segment));
    var done = ExtractionProgress.Done.of(segment);
    Optional<ExtractionProgress.Done> before = progress.segment(segment.session(), segment.id());
    if (before.equals(Optional.of(done))) {
      return reading;
    }
    if (reading.read(segment.entries().stream().map(SegmentEntry::key).toList())) {
      read.add(new ReadSegment(segment, done, before, reading.drafts));
    } else {
      pending.add(segment.id());
    }
    return reading;
  }

  private List<Grip> grips(Segment segment) {
    return log.grips().gripsOf(segment.node()).stream()
        .flatMap(id -> log.grips().grip(id).stream())
        .toList();
  }

  /// Reads events some at a time.
  private final class Reading {

    private final Optional<NodeId> asked;
    private final List<Grip> grips;
    private final List<MemoryDraft> drafts = new ArrayList<>();
    private RefinementCounts refined = RefinementCounts.NONE;
    private boolean interrupted;
    private long chars;

    /// @param asked the segment's node, for a model that is asked about it; empty to ask none
    Reading(Optional<NodeId> asked, List<Grip> grips) {
      this.asked = asked;
      this.grips = grips;
    }

    /// @return false when it was interrupted
    boolean read(List<EventKey> keys) {
      int at = 0;
      while (at < keys.size() && !interrupted) {
        EventSlice slice = log.events().events(keys.subList(at, keys.size()), MOST_CHARS);
        slice.events().forEach(event -> chars += event.chars());
        TurnRefinement.Result result = refinement.statements(asked, slice.events());
        drafts.addAll(DerivedDrafts.of(result.statements(), grips));
        refined = refined.plus(result.counts());
        interrupted = result.interrupted();
        at += Math.max(1, slice.keys());
      }
      return !interrupted;
    }
  }

  /// Whether the events that a draft rests on have not been erased since they were read.
  private boolean isSupported(MemoryDraft draft) {
    try {
      return draft.links().events().stream()
          .allMatch(event -> log.events().event(event).isPresent());
    } catch (MemoryException e) {
      e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
      return true;
    }
  }

  private Stored store(List<MemoryDraft> drafts) {
    long added = 0;
    Set<MemoryDraft> missing = Collections.newSetFromMap(new IdentityHashMap<>());
    Optional<MemoryException> first = Optional.empty();
    for (int i = 0; i < drafts.size(); i += COMMITTED) {
      List<MemoryDraft> all = drafts.subList(i, Math.min(drafts.size(), i + COMMITTED));
      List<MemoryDraft> some;
      List<AddOutcome> outcomes;
      // Events are erased before memories that rest on them, which takes this lock.
      try (var _ = memories.exclusive()) {
        some = all.stream().filter(this::isSupported).toList();
        outcomes = some.isEmpty() ? List.of() : memories.addMissing(some);
      }
      for (int at = 0; at < outcomes.size(); at++) {
        switch (outcomes.get(at)) {
          case AddOutcome.Added _ -> added++;
          // That one is known with other fields is no loss: it was changed, or the rules have
          // improved.
          case AddOutcome.Refused(var why) when why.code() != ErrorCode.CONFLICT -> {
            missing.add(some.get(at));
            first = first.or(() -> Optional.of(why));
          }
          case AddOutcome.Refused _, AddOutcome.Known _, AddOutcome.Gone _ -> {}
        }
      }
    }
    first.ifPresent(
        why -> LOG.warn("{} memories were not extracted: {}", missing.size(), why.getMessage()));
    refused.addAndGet(missing.size());
    return new Stored(added, missing);
  }

  /// What a step notes of its segments.
  private final class Noted {

    private final List<Change> changes = new ArrayList<>();
    private final Map<SessionId, Long> events = new LinkedHashMap<>();

    void put(ReadSegment one) {
      SessionId session = one.segment().session();
      changes.add(progress.put(session, one.segment().id(), one.done()));
      int before = one.before().map(ExtractionProgress.Done::events).orElse(0);
      count(session, one.done().events() - before);
    }

    void drop(SessionId session, SegmentId id) {
      progress
          .segment(session, id)
          .ifPresent(before -> {
            changes.add(progress.drop(session, id));
            count(session, -before.events());
          });
    }

    private void count(SessionId session, int more) {
      long known = events.computeIfAbsent(session, progress::events);
      events.put(session, known + more);
    }

    List<Change> changes() {
      events.forEach((session, count) -> changes.add(progress.putEvents(session, count)));
      return changes;
    }
  }
}
