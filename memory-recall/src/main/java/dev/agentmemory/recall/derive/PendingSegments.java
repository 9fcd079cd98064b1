package dev.agentmemory.recall.derive;

import dev.agentmemory.spi.Mutex;
import dev.agentmemory.store.StoreReader;
import dev.agentmemory.types.Boundary;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.SegmentId;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;

/// The segments that may have to be extracted from. May be called from any thread.
///
/// Idea: while the process runs it is told which segments change. What changed before, or while it
/// could not note more, is found once by a walk over the sessions: a session whose events are all
/// in segments that are done costs two reads. Sessions are taken in the order of their last events,
/// the latest first, and of each its latest segments first.
final class PendingSegments {

  /// Changed segments that are noted; beyond that all sessions are looked at again.
  static final int MOST_CHANGED = 10_000;

  /// Sessions that are found by one walk; the next one continues with the earlier ones.
  private static final int FOUND = 1000;

  private static final int PAGE = 256;

  private static final Comparator<SessionPlace> LATEST_FIRST =
      Comparator.comparing(SessionPlace::last).thenComparing(SessionPlace::id).reversed();

  private final StoreReader log;
  private final ExtractionProgress progress;
  private final Mutex lock = new Mutex();
  private final Set<SegmentId> changed = new HashSet<>();

  /// Whether changes may have been missed since the last walk began.
  private boolean missed = true;

  private boolean walking;
  private boolean more;

  // Touched by one step at a time.
  private final List<SessionPlace> found = new ArrayList<>();
  private final List<SegmentId> ofSession = new ArrayList<>();
  private Optional<SessionPlace> walked = Optional.empty();

  private record SessionPlace(Instant last, SessionId id) {}

  PendingSegments(StoreReader log, ExtractionProgress progress) {
    this.log = log;
    this.progress = progress;
  }

  /// Notes that a segment was written or retired.
  void add(SegmentId id) {
    try (var _ = lock.hold()) {
      if (changed.size() < MOST_CHANGED) {
        changed.add(id);
      } else {
        missed = true;
      }
    }
  }

  /// Whether there may be work.
  boolean isPending() {
    try (var _ = lock.hold()) {
      return missed || walking || more || !changed.isEmpty();
    }
  }

  /// Takes the next segments, the latest first.
  ///
  /// @return empty when nothing is left
  List<SegmentId> take(int limit) {
    List<SegmentId> taken = takeChanged(limit);
    while (taken.isEmpty() && (!ofSession.isEmpty() || nextSession())) {
      int from = Math.max(0, ofSession.size() - limit);
      List<SegmentId> last = ofSession.subList(from, ofSession.size());
      taken = new ArrayList<>(last.reversed());
      last.clear();
    }
    try (var _ = lock.hold()) {
      more = !found.isEmpty() || !ofSession.isEmpty();
    }
    return taken;
  }

  private List<SegmentId> takeChanged(int limit) {
    try (var _ = lock.hold()) {
      List<SegmentId> taken =
          changed.stream().sorted(Comparator.reverseOrder()).limit(limit).toList();
      taken.forEach(changed::remove);
      return taken;
    }
  }

  /// Finds the segments of the next session that are not done.
  ///
  /// @return false when all sessions were looked at
  private boolean nextSession() {
    if (found.isEmpty() && !walk()) {
      return false;
    }
    ofSession.addAll(notDone(found.removeFirst().id()));
    return true;
  }

  /// Looks for the latest sessions with events that are in no segment that is done.
  ///
  /// @return false when all sessions were looked at
  private boolean walk() {
    if (!begins()) {
      return false;
    }
    var latest = new PriorityQueue<>(LATEST_FIRST.reversed());
    List<Session> page = log.sessions().sessions(Optional.empty(), PAGE);
    while (!page.isEmpty()) {
      for (Session session : page) {
        var place = new SessionPlace(session.last().timestamp(), session.id());
        if (isBehind(place) && !isDone(session)) {
          latest.add(place);
          if (latest.size() > FOUND) {
            latest.remove();
          }
        }
      }
      page = log.sessions().sessions(Optional.of(page.getLast().id()), PAGE);
    }
    boolean full = latest.size() == FOUND;
    found.addAll(latest.stream().sorted(LATEST_FIRST).toList());
    walked = full ? Optional.of(found.getLast()) : Optional.empty();
    try (var _ = lock.hold()) {
      walking = full;
    }
    return !found.isEmpty();
  }

  /// Whether a walk begins or continues.
  private boolean begins() {
    try (var _ = lock.hold()) {
      if (!walking && !missed) {
        return false;
      }
      if (!walking) {
        missed = false;
        walking = true;
        walked = Optional.empty();
      }
      return true;
    }
  }

  private boolean isBehind(SessionPlace place) {
    return walked.map(last -> LATEST_FIRST.compare(place, last) > 0).orElse(true);
  }

  private boolean isDone(Session session) {
    long left = session.events() - progress.events(session.id());
    return left == 0
        || log.segments()
            .segmentAt(session.id(), session.last())
            .filter(last -> last.boundary() == Boundary.OPEN && last.entries().size() == left)
            .isPresent();
  }

  /// The closed segments of a session that are not done, and those that are noted as done and are
  /// not there any more; in the order of time.
  List<SegmentId> notDone(SessionId session) {
    Map<SegmentId, ExtractionProgress.Done> done = progress.segments(session);
    List<SegmentId> left = new ArrayList<>();
    Optional<EventKey> after = Optional.empty();
    List<Segment> page;
    do {
      page = log.segments().segmentsAfter(session, after, PAGE);
      for (Segment segment : page) {
        ExtractionProgress.Done known = done.remove(segment.id());
        boolean closed = segment.boundary() != Boundary.OPEN;
        if (closed && !ExtractionProgress.Done.of(segment).equals(known)) {
          left.add(segment.id());
        }
      }
      after = page.isEmpty() ? after : Optional.of(page.getLast().first());
    } while (page.size() == PAGE);
    left.addAll(0, done.keySet().stream().sorted().toList());
    return left;
  }
}
