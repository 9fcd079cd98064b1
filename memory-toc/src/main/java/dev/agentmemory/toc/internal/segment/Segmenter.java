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
/// 1. the session has ended. What a tool returns after that, and another end, still belong to it;
/// 2. the next event comes `timeThreshold` later or more. The end of the session belongs to what
///    came before, however late, and so does what a tool returns within eight thresholds;
/// 3. the segment is full: the next event would take it past `tokenThreshold`, or a person begins a
///    turn and three quarters of it are used. Only an event in which somebody speaks begins a
///    segment by this rule, and only behind one in which somebody has spoken, up to twice the
///    threshold; the end of the session joins always; an event larger than the threshold is a
///    segment of its own.
///
/// So a segment without spoken words is left only where a silence, the end of a session or twice
/// the threshold of other text separates it from those beside it.
///
/// The text of tools counts with `toolWeight`, every event one token at least, so a segment has at
/// most twice `tokenThreshold` events.
public final class Segmenter {

  private static final int SILENCES_OF_A_TOOL = 8;
  private static final double FULL_AT_A_TURN = 0.75;

  private final SegmentationConfig config;
  private final List<SegmentEntry> open = new ArrayList<>();
  private long size;
  private boolean spoken;
  private boolean ended;

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
    size += size(next);
    spoken |= next.kind().isSpoken();
    ended |= next.kind() == SegmentEntry.Kind.END;
    return closed;
  }

  /// Why the open segment would end before this event; empty when the event would join it, or when
  /// nothing is open.
  Optional<Boundary> boundaryBefore(SegmentEntry next) {
    if (open.isEmpty()) {
      return Optional.empty();
    }
    if (ended && next.kind() != SegmentEntry.Kind.TOOL && next.kind() != SegmentEntry.Kind.END) {
      return Optional.of(Boundary.SESSION_END);
    }
    if (isAfterSilence(next)) {
      return Optional.of(Boundary.GAP);
    }
    if (!isFull(next)) {
      return Optional.empty();
    }
    return Optional.of(ended ? Boundary.SESSION_END : Boundary.TOKENS);
  }

  private boolean isAfterSilence(SegmentEntry next) {
    Duration silence = Duration.between(open.getLast().key().timestamp(), next.key().timestamp());
    return switch (next.kind()) {
      case END -> false;
      case TOOL -> silence.compareTo(config.timeThreshold().multipliedBy(SILENCES_OF_A_TOOL)) >= 0;
      case PERSON, ASSISTANT, OTHER -> silence.compareTo(config.timeThreshold()) >= 0;
    };
  }

  private boolean isFull(SegmentEntry next) {
    long with = size + size(next);
    if (next.kind() == SegmentEntry.Kind.END) {
      return false;
    }
    if (!spoken || !next.kind().isSpoken()) {
      return with > 2L * config.tokenThreshold();
    }
    boolean turn = next.kind() == SegmentEntry.Kind.PERSON;
    return with > config.tokenThreshold()
        || (turn && size >= FULL_AT_A_TURN * config.tokenThreshold());
  }

  private long size(SegmentEntry entry) {
    return entry.kind() == SegmentEntry.Kind.TOOL
        ? Math.max(1, Math.round(entry.tokens() * config.toolWeight()))
        : entry.tokens();
  }

  /// Ends the open segment for a known reason.
  Cut close(Boundary boundary) {
    var cut = new Cut(open, boundary);
    open.clear();
    size = 0;
    spoken = false;
    ended = false;
    return cut;
  }

  /// What is left when no event follows: a segment that the end of the session has closed, or an
  /// open one.
  public Optional<Cut> finish() {
    if (open.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(close(ended ? Boundary.SESSION_END : Boundary.OPEN));
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
