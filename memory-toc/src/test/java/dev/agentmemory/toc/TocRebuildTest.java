package dev.agentmemory.toc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.toc.segment.SegmentationConfig;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Cutting everything anew, and being stopped on the way.
class TocRebuildTest {

  private static final Instant START = Instant.parse("2026-01-30T10:00:00Z");

  private final TocWorld world =
      new TocWorld("UTC", Instant.parse("2027-06-01T00:00:00Z"), SegmentationConfig.DEFAULT);

  @Test
  void interrupt_endsTheRunBetweenSessionsAndLeavesTheMark() {
    world.ingest(
        TocWorld.said("a", "2026-01-30T10:00:00Z", 1, "we chose exponential backoff"),
        TocWorld.said("b", "2026-01-30T10:00:01Z", 2, "meanwhile in another session"));
    world.settle();
    var before = world.picture();

    Thread.currentThread().interrupt();
    assertThatThrownBy(world.rebuild::run)
        .isInstanceOfSatisfying(
            MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CLOSED));
    assertThat(Thread.interrupted()).isTrue();
    assertThat(world.rebuild.isUnfinished()).isTrue();

    assertThat(world.rebuild.run()).isEqualTo(new TocRebuild.Result(2, 2));
    assertThat(world.rebuild.isUnfinished()).isFalse();
    world.settle();
    assertThat(world.picture()).isEqualTo(before);
  }

  /// More segments vanish between two that stay than are read at a time.
  @Test
  void rebuild_afterTheRulesHaveChanged_leavesNoneOfTheFormerSegments() {
    TocWorld shorter = withSilence(Duration.ofSeconds(30));
    TocWorld longer = withSilence(Duration.ofMinutes(30));
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < 120; i++) {
      int breaks = i / 40;
      events.add(
          TocWorld.event(
              "s",
              START.plusSeconds(60L * i + 3600L * breaks),
              i,
              EventType.USER_MESSAGE,
              "statement " + i));
    }
    shorter.ingest(events);
    shorter.settle();
    var before = shorter.picture();
    List<Segment> segments = shorter.segments("s");
    assertThat(segments).hasSize(120);
    assertThat(segments.get(1).overlap()).isNotEmpty();

    assertThat(longer.rebuild.run()).isEqualTo(new TocRebuild.Result(1, 3));
    longer.settle();
    assertThat(longer.segments("s")).hasSize(3);
    assertThat(longer.store.verify(10)).isEmpty();

    shorter.rebuild.run();
    shorter.settle();
    assertThat(shorter.picture()).isEqualTo(before);
    assertThat(shorter.segments("s")).isEqualTo(segments);
    assertThat(shorter.store.verify(10)).isEmpty();
  }

  private TocWorld withSilence(Duration threshold) {
    return new TocWorld(
        world.store,
        world.now,
        new SegmentationConfig(
            threshold, 4000, 0.25, Duration.ofMinutes(5), 500, 2000, Duration.ZERO));
  }

  @Test
  void rebuild_moreSessionsAndEventsThanAPage_cutsAll() {
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < 501; i++) {
      Instant time = START.plus(Duration.ofHours(i));
      events.add(TocWorld.event("long", time, i, EventType.USER_MESSAGE, "hour " + i));
      events.add(TocWorld.event("s" + i, time, 1000 + i, EventType.USER_MESSAGE, "session " + i));
    }
    world.ingest(events);
    world.settle();
    var before = world.picture();
    assertThat(world.rebuild.run()).isEqualTo(new TocRebuild.Result(502, 1002));
    world.settle();
    assertThat(world.picture()).isEqualTo(before);
  }

  @Test
  void rebuild_periodWhoseWordsAreWrong_givesItThoseOfItsParts() {
    world.ingest(TocWorld.said("a", "2026-01-30T10:00:00Z", 1, "we chose exponential backoff"));
    world.settle();
    var before = world.picture();
    TocNode month = world.node("toc:month:2026:01");
    var wrong =
        new TocNode(
            month.id(),
            "Wrong",
            Optional.empty(),
            List.of(),
            List.of(),
            month.children(),
            month.span(),
            month.edition());
    world.store.commit(Commit.of(new Change.PutNode(wrong)));
    world.rollUp();
    assertThat(world.node("toc:month:2026:01").title()).isEqualTo("Wrong");

    world.rebuild.run();
    world.rollUp();
    assertThat(world.picture()).isEqualTo(before);
  }

  @Test
  void rebuild_thatChangesNothing_writesNoVersion() {
    for (int i = 0; i < 3; i++) {
      world.ingest(TocWorld.said("a", "2026-01-30T1" + i + ":00:00Z", i, "statement number " + i));
    }
    world.settle();
    NodeId segment = world.segments("a").get(1).node();
    TocNode before = world.store.toc().node(segment).orElseThrow();
    world.rebuild.run();
    world.settle();
    assertThat(world.store.toc().node(segment)).contains(before);
    assertThat(world.store.toc().versions(segment)).hasSize(1);
  }

  @Test
  void rebuild_summariesThatNoModelWrote_areMarkedForOne() {
    world.ingest(TocWorld.said("a", "2024-01-30T10:00:00Z", 1, "we chose exponential backoff"));
    world.settle();
    List<NodeId> marked = marked();
    assertThat(marked).extracting(NodeId::level).contains(TocLevel.SEGMENT, TocLevel.DAY);
    world.store.commit(
        Commit.of(marked.stream().map(Change.ClearUpgrade::new).toArray(Change[]::new)));
    assertThat(marked()).isEmpty();
    world.rebuild.run();
    assertThat(marked()).isEqualTo(marked);
  }

  private List<NodeId> marked() {
    return Stream.of(TocLevel.values())
        .flatMap(level -> world.store.toc().upgrades(level, Optional.empty(), 9).stream())
        .toList();
  }
}
