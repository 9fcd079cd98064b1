package dev.agentmemory.toc.internal.segment;

import dev.agentmemory.toc.segment.SegmentationConfig;
import dev.agentmemory.types.Boundary;
import dev.agentmemory.types.SegmentEntry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Cuts a session's events into segments. Idea: whether a segment ends is decided by what is in it
/// and by the next event alone, so segments are a pure function of the session's ordered events,
/// and cutting again from the start of any segment gives the same segments.
///
/// Between two events the first rule that holds ends the segment:
/// 1. the event ends the session;
/// 2. the next event comes `timeThreshold` later or more;
/// 3. the next event would take the segment past `tokenThreshold` (an event larger than that is a
///    segment of its own).
///
/// Every event counts one token at least, so a segment has at most `tokenThreshold` events.
public final class Segmenter {

  private final SegmentationConfig config;
  private final List<SegmentEntry> open = new ArrayList<>();
  private int tokens;

  public Segmenter(SegmentationConfig config) {
    this.config = config;
  }

  /// Adds the next event in time order.
  ///
  /// @return the segment that ends before it, if one does
  public Optional<Cut> step(SegmentEntry next) {
    Optional<Boundary> boundary = boundaryBefore(next);
    Optional<Cut> closed = boundary.map(this::close);
    open.add(next);
    tokens += next.tokens();
    return closed;
  }

  /// Why the open segment would end before this event; empty when the event would join it, or when
  /// nothing is open.
  Optional<Boundary> boundaryBefore(SegmentEntry next) {
    if (open.isEmpty()) {
      return Optional.empty();
    }
    SegmentEntry last = open.getLast();
    if (last.endsSession()) {
      return Optional.of(Boundary.SESSION_END);
    }
    Duration silence = Duration.between(last.key().timestamp(), next.key().timestamp());
    if (silence.compareTo(config.timeThreshold()) >= 0) {
      return Optional.of(Boundary.GAP);
    }
    if (tokens + next.tokens() > config.tokenThreshold()) {
      return Optional.of(Boundary.TOKENS);
    }
    return Optional.empty();
  }

  /// Ends the open segment for a known reason.
  Cut close(Boundary boundary) {
    var cut = new Cut(open, boundary);
    open.clear();
    tokens = 0;
    return cut;
  }

  /// What is left when no event follows: a segment that its SESSION_END has closed, or an open one.
  public Optional<Cut> finish() {
    if (open.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(close(open.getLast().endsSession() ? Boundary.SESSION_END : Boundary.OPEN));
  }

  /// The tail of a segment that a summariser of the next one may read.
  public static List<SegmentEntry> overlap(
      SegmentationConfig config, List<SegmentEntry> before, SegmentEntry next) {
    int from = before.size();
    int sum = 0;
    while (from > 0) {
      SegmentEntry candidate = before.get(from - 1);
      sum += candidate.tokens();
      Duration age = Duration.between(candidate.key().timestamp(), next.key().timestamp());
      if (age.compareTo(config.overlapTime()) > 0 || sum > config.overlapTokens()) {
        break;
      }
      from--;
    }
    return before.subList(from, before.size());
  }
}
