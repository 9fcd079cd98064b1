package dev.agentmemory.toc.internal.segment;

import dev.agentmemory.store.SegmentReader;
import dev.agentmemory.toc.segment.SegmentationConfig;
import dev.agentmemory.types.Boundary;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.SegmentEntry;
import dev.agentmemory.types.SegmentId;
import dev.agentmemory.types.SessionId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Brings the stored segments of a session in line with events that have arrived, in whatever
/// order. Idea: an event can only change the segment that it falls into and those behind it, and
/// once a new boundary falls on an old one behind the last new event, everything further on stays
/// as it is. So the cutter starts at the last segment that begins at or before the first new event,
/// merges old and new entries, and stops at the first old boundary that still holds.
public record SegmentReconciler(
    SegmentReader segments, SegmentationConfig config, TocCalendar calendar) {

  private static final int PAGE = 16;

  /// What has to change.
  ///
  /// @param changed new segments and new states of old ones, in time order
  /// @param vanished segments that are no more
  public record SegmentDelta(List<Segment> changed, List<Segment> vanished) {}

  /// Works out the segments with new events in them.
  ///
  /// @param fresh entries in time order, not empty; entries that a segment already holds are
  ///   ignored
  public SegmentDelta add(SessionId session, List<SegmentEntry> fresh) {
    Optional<Segment> base = segments.segmentAt(session, fresh.getFirst().key());
    return new Merge(session, base, fresh).run();
  }

  /// One run of the merge; old segments are read page by page as far as they are needed.
  private final class Merge {
    private final SessionId session;
    private final Segmenter segmenter = new Segmenter(config);
    private final Deque<SegmentEntry> fresh;
    private final Deque<Segment> waiting = new ArrayDeque<>();
    private final Deque<SegmentEntry> old = new ArrayDeque<>();
    private final List<Segment> consumed = new ArrayList<>();
    private final List<Cut> cuts = new ArrayList<>();
    private final List<EventKey> firstOverlap;
    private Optional<EventKey> readUpTo;
    private boolean exhausted;

    Merge(SessionId session, Optional<Segment> base, List<SegmentEntry> fresh) {
      this.session = session;
      this.fresh = new ArrayDeque<>(fresh);
      this.firstOverlap = base.map(Segment::overlap).orElse(List.of());
      this.readUpTo = base.map(Segment::first);
      base.ifPresent(waiting::add);
    }

    SegmentDelta run() {
      Optional<Segment> untouched = cutUntilAligned();
      List<Segment> now = new ArrayList<>(cuts.size());
      List<SegmentEntry> before = List.of();
      for (Cut cut : cuts) {
        now.add(segment(cut, before));
        before = cut.entries();
      }
      untouched.map(next -> withOverlap(next, cuts.getLast())).ifPresent(now::add);
      return difference(now, untouched);
    }

    /// Cuts until nothing is left or an old boundary holds.
    ///
    /// @return the old segment behind that boundary
    private Optional<Segment> cutUntilAligned() {
      while (true) {
        Optional<Segment> next = old.isEmpty() ? peekSegment() : Optional.empty();
        if (fresh.isEmpty() && next.isPresent()) {
          Optional<Boundary> holds = segmenter.boundaryBefore(next.get().entries().getFirst());
          if (holds.isPresent()) {
            cuts.add(segmenter.close(holds.get()));
            return next;
          }
        }
        if (next.isPresent() && startsBeforeFresh(next.get())) {
          Segment taken = waiting.remove();
          consumed.add(taken);
          old.addAll(taken.entries());
        }
        if (old.isEmpty() && fresh.isEmpty()) {
          segmenter.finish().ifPresent(cuts::add);
          return Optional.empty();
        }
        segmenter.step(nextEntry()).ifPresent(cuts::add);
      }
    }

    private boolean startsBeforeFresh(Segment next) {
      return fresh.isEmpty() || next.first().compareTo(fresh.getFirst().key()) <= 0;
    }

    private SegmentEntry nextEntry() {
      if (old.isEmpty()) {
        return fresh.remove();
      }
      if (fresh.isEmpty()) {
        return old.remove();
      }
      int order = old.getFirst().key().compareTo(fresh.getFirst().key());
      if (order == 0) {
        fresh.remove();
      }
      return order <= 0 ? old.remove() : fresh.remove();
    }

    private Optional<Segment> peekSegment() {
      if (waiting.isEmpty() && !exhausted) {
        List<Segment> page = segments.segmentsAfter(session, readUpTo, PAGE);
        waiting.addAll(page);
        exhausted = page.size() < PAGE;
        readUpTo = page.isEmpty() ? readUpTo : Optional.of(page.getLast().first());
      }
      return Optional.ofNullable(waiting.peek());
    }

    private Segment segment(Cut cut, List<SegmentEntry> before) {
      SegmentEntry first = cut.entries().getFirst();
      return calendar.segment(
          session,
          cut,
          before.isEmpty() ? firstOverlap : keys(Segmenter.overlap(config, before, first)));
    }

    private Segment withOverlap(Segment next, Cut before) {
      List<SegmentEntry> overlap =
          Segmenter.overlap(config, before.entries(), next.entries().getFirst());
      return new Segment(
          next.id(), session, next.node(), next.entries(), keys(overlap), next.boundary());
    }

    private SegmentDelta difference(List<Segment> now, Optional<Segment> untouched) {
      var before = new HashSet<Segment>(consumed);
      untouched.ifPresent(before::add);
      Set<SegmentId> ids = new HashSet<>();
      now.forEach(segment -> ids.add(segment.id()));
      return new SegmentDelta(
          now.stream().filter(segment -> !before.contains(segment)).toList(),
          consumed.stream().filter(segment -> !ids.contains(segment.id())).toList());
    }
  }

  private static List<EventKey> keys(List<SegmentEntry> entries) {
    return entries.stream().map(SegmentEntry::key).toList();
  }
}
