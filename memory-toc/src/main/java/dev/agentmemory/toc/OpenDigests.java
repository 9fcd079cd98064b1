package dev.agentmemory.toc;

import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.TocLevel;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Stores the digests of open segments once they rest. Idea: while a conversation goes on, each of
/// its events would change the digest of its segment; of many such digests in a row only the last
/// one is of use. A segment that waits for its digest is marked dirty.
record OpenDigests(TocWriter writer, TocBuilder builder, Duration rest) {

  private static final int BATCH = 16;
  private static final int MOST = 10_000;

  /// @param digested how many digests were stored
  /// @param waiting how many segments do not rest yet
  record Result(int digested, int waiting) {}

  Result run() {
    return run(rest);
  }

  /// Whether they rest or not.
  Result runAll() {
    return run(Duration.ZERO);
  }

  private Result run(Duration rest) {
    int digested = 0;
    Instant now = writer.clock().instant();
    List<NodeId> dirty = writer.store().toc().dirty(TocLevel.SEGMENT, MOST);
    List<NodeId> resting =
        dirty.stream().filter(node -> !builder.restsAt(node, rest).isAfter(now)).toList();
    for (int from = 0; from < resting.size(); from += BATCH) {
      if (Thread.currentThread().isInterrupted()) {
        return new Result(digested, dirty.size() - digested);
      }
      List<NodeId> some = resting.subList(from, Math.min(from + BATCH, resting.size()));
      digested += writer.write(draft -> digest(draft, some));
    }
    return new Result(digested, dirty.size() - resting.size());
  }

  /// When the next digest can be stored, if no event comes; empty when none waits.
  Optional<Instant> nextRest() {
    return writer.store().toc().dirty(TocLevel.SEGMENT, BATCH).stream()
        .map(node -> builder.restsAt(node, rest))
        .min(Comparator.naturalOrder());
  }

  private int digest(TocTransaction draft, List<NodeId> nodes) {
    List<Segment> segments = new ArrayList<>(nodes.size());
    for (NodeId node : nodes) {
      ReadableSegments.of(writer.store().segments(), node)
          .ifPresentOrElse(segments::add, () -> draft.clearDirty(node));
    }
    builder.write(draft, segments, Map.of());
    return segments.size();
  }
}
