package dev.agentmemory.toc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.store.EventSlice;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.testkit.store.HeapStore;
import dev.agentmemory.testkit.store.InterceptedStore;
import dev.agentmemory.toc.segment.SegmentationConfig;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Records that cannot be read: what does not need them goes on, and a rebuild writes them anew.
class TocDamageTest {

  private static final NodeId FRIDAY = NodeId.parse("toc:day:2026-01-30").orElseThrow();
  private static final NodeId SATURDAY = NodeId.parse("toc:day:2026-01-31").orElseThrow();

  private final Set<Object> damaged = new HashSet<>();
  private final MemoryStore heap = new HeapStore(ZoneOffset.UTC);
  private final TocWorld world =
      new TocWorld(
          damageable(heap), Instant.parse("2026-03-01T00:00:00Z"), SegmentationConfig.DEFAULT);

  private final Event friday =
      TocWorld.said("s", "2026-01-30T10:00:00Z", 1, "Friday is the day of the release.");
  private final Event saturday =
      TocWorld.said("t", "2026-01-31T10:00:00Z", 2, "Saturday is the day of rest.");
  private final Event later =
      TocWorld.said("u", "2026-01-30T16:00:00Z", 3, "Friday ends with a review.");

  @Test
  void dayDamaged_othersAreRolledUp() {
    world.ingest(friday, saturday);
    world.project(100);
    damaged.add(FRIDAY);
    world.rollup.run(TocLevel.DAY);
    assertThat(heap.toc().node(SATURDAY).map(TocNode::bullets))
        .hasValueSatisfying(bullets -> assertThat(bullets).isNotEmpty());
  }

  @Test
  void dayDamaged_newEventWritesItAnew_andARebuildLinksAll() {
    world.ingest(friday);
    world.project(100);
    damaged.add(FRIDAY);
    world.ingest(later);
    world.project(100);
    damaged.clear();
    assertThat(heap.toc().node(FRIDAY).map(TocNode::children))
        .hasValueSatisfying(children -> assertThat(children).hasSize(1));
    world.rebuild.run();
    assertThat(heap.toc().node(FRIDAY).map(TocNode::children))
        .hasValueSatisfying(children -> assertThat(children).hasSize(2));
  }

  @Test
  void siblingDamaged_newSegmentIsLinked() {
    world.ingest(friday);
    world.project(100);
    damaged.add(heap.toc().node(FRIDAY).orElseThrow().children().getFirst());
    world.ingest(later);
    world.project(100);
    damaged.clear();
    assertThat(heap.toc().node(FRIDAY).orElseThrow().children()).hasSize(2);
    assertThat(heap.verify(10)).isEmpty();
  }

  @Test
  void segmentThatWaitsForItsDigestDamaged_othersAreDigested_andNoneWaits() {
    world.now = saturday.timestamp().plusSeconds(60);
    world.ingest(friday, saturday);
    world.project(100);
    world.ingest(
        TocWorld.said("s", "2026-01-30T10:01:00Z", 4, "It was postponed."),
        TocWorld.said("t", "2026-01-31T10:01:00Z", 5, "It rains."));
    world.project(100);
    Segment broken = world.segments("s").getFirst();
    damaged.add(broken.id());

    var current = new CurrentContents(world.store, world.builder);
    assertThat(current.node(broken.node()).orElseThrow().bullets()).hasSize(1);
    assertThat(world.digests.runAll()).isEqualTo(new OpenDigests.Result(1, 0));
    assertThat(heap.toc().dirty(TocLevel.SEGMENT, 9)).isEmpty();
    assertThat(heap.toc().node(world.segments("t").getFirst().node()).orElseThrow().bullets())
        .hasSize(2);
  }

  @Test
  void eventDamaged_projectionSaysSoInsteadOfLeavingItOut() {
    world.ingest(friday);
    damaged.add(friday.id());
    assertThatThrownBy(() -> world.project(100))
        .isInstanceOfSatisfying(
            MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT_RECORD));
    assertThat(heap.checkpoints().checkpoint(TocProjection.NAME)).isEmpty();
  }

  @Test
  void retry_ofAParkedEntry_bringsItInWithoutMovingTheCursor() {
    world.ingest(friday);
    world.projection.retry(heap.outbox().entries(0, 1).getFirst());
    assertThat(heap.toc().node(FRIDAY)).isPresent();
    assertThat(heap.checkpoints().checkpoint(TocProjection.NAME)).isEmpty();
  }

  private MemoryStore damageable(MemoryStore store) {
    return InterceptedStore.of(
        store,
        (method, arguments, call) -> {
          boolean pointRead = Set.of("node", "event", "segment").contains(method);
          if (pointRead && damaged.contains(arguments[0])) {
            throw new MemoryException(ErrorCode.CORRUPT_RECORD, arguments[0] + " is damaged");
          }
          return readable(method, call.make());
        });
  }

  /// Lists leave out what is damaged.
  private Object readable(String method, Object result) {
    if (method.equals("nodes")) {
      return ((List<?>) result)
          .stream().map(TocNode.class::cast).filter(node -> !damaged.contains(node.id())).toList();
    }
    if (method.equals("events") && result instanceof EventSlice slice) {
      return new EventSlice(
          slice.events().stream().filter(event -> !damaged.contains(event.id())).toList(),
          slice.keys());
    }
    return result;
  }
}
