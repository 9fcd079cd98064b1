package dev.agentmemory.toc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.derived.DerivedReader;
import dev.agentmemory.testkit.Await;
import dev.agentmemory.testkit.store.HeapStore;
import dev.agentmemory.toc.segment.SegmentationConfig;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.TocLevel;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// What is left in the table of contents of events that are erased.
class ContentsErasureTest {

  private static final Instant NOW = Instant.parse("2026-01-30T20:00:00Z");
  private static final String GONE = "The quetzalcoatlus gateway fails at night.";

  private final TocWorld world = new TocWorld("UTC", NOW, SegmentationConfig.DEFAULT);
  private final ContentsErasure erasure =
      new ContentsErasure(world.writer, world.builder, world.rollup);
  private final Event gone = TocWorld.said("s", "2026-01-30T14:30:00Z", 1, GONE);
  private final Event kept =
      TocWorld.said("s", "2026-01-30T14:31:00Z", 2, "The pangolin gateway works by day.");

  private void erase(Event event) {
    EventKey key = world.store.events().event(event.id()).orElseThrow().key();
    Map<SessionId, Set<EventKey>> erased = Map.of(event.session(), Set.of(key));
    erasure.hold(() -> {
      NavigableSet<NodeId> affected = erasure.affected(erased);
      world.store.commit(Commit.of(new Change.EraseEvent(event.session(), key, true)));
      erasure.run(erased, affected);
      return affected;
    });
  }

  private String said() {
    return world.store.derived().nodeVersions(Optional.empty(), 1000).toString()
        + world.store.derived().grips(Optional.empty(), 1000);
  }

  @Test
  void segment_keepsTheOtherEvents() {
    world.ingest(gone, kept);
    world.settle();
    assertThat(said()).contains("quetzalcoatlus", "pangolin");
    erase(gone);
    assertThat(said()).contains("pangolin").doesNotContain("quetzalcoatlus");
    assertThat(world.segments("s")).hasSize(1);
    assertThat(world.store.verify(10)).isEmpty();
  }

  /// With many sessions of a day, reading it for each of them would take hours.
  @Test
  void nodesOfADay_areReadOnceForAllSessions() {
    var reads = new AtomicInteger();
    var counted = new TocWorld(counting(reads), NOW, SegmentationConfig.DEFAULT);
    Map<SessionId, Set<EventKey>> erased = new HashMap<>();
    for (int session = 0; session < 20; session++) {
      Event event = TocWorld.said("s" + session, "2026-01-30T14:30:00Z", session, GONE);
      counted.ingest(event);
      erased.put(
          event.session(), Set.of(counted.store.events().event(event.id()).orElseThrow().key()));
    }
    counted.settle();
    reads.set(0);
    assertThat(
            new ContentsErasure(counted.writer, counted.builder, counted.rollup).affected(erased))
        .hasSize(24);
    // That day and the one before it.
    assertThat(reads).hasValue(2);
  }

  /// A store that counts how often the nodes of a day are asked for.
  private static MemoryStore counting(AtomicInteger reads) {
    var plain = new HeapStore(ZoneId.of("UTC"));
    DerivedReader derived =
        passingOn(
            DerivedReader.class,
            (_, method, arguments) -> {
              if (method.getName().equals("segmentNodes")) {
                reads.incrementAndGet();
              }
              return method.invoke(plain.derived(), arguments);
            });
    return passingOn(
        MemoryStore.class,
        (_, method, arguments) ->
            method.getName().equals("derived") ? derived : method.invoke(plain, arguments));
  }

  private static <T> T passingOn(Class<T> type, InvocationHandler calls) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, calls));
  }

  @Test
  void lastEvent_takesSegmentAndPeriodsWithIt() {
    world.ingest(gone);
    world.settle();
    erase(gone);
    assertThat(world.store.derived().nodeVersions(Optional.empty(), 10)).isEmpty();
    assertThat(world.store.derived().grips(Optional.empty(), 10)).isEmpty();
    assertThat(world.store.verify(10)).isEmpty();
  }

  @Test
  void eventThatTheProjectionHasRead_isNotWrittenBack() throws InterruptedException {
    world.ingest(gone);
    var projecting = new Thread(() -> world.project(1000));
    erasure.hold(() -> {
      projecting.start();
      Await.until("the projection waits", () -> projecting.getState() == Thread.State.WAITING);
      erase(gone);
      return true;
    });
    projecting.join();
    assertThat(world.ids(TocLevel.SEGMENT)).isEmpty();
    assertThat(said()).doesNotContain("quetzalcoatlus");
  }

  @Test
  void formerVersionOfALiveSegment_thatHadTheEvent_isRemoved() {
    world.ingest(kept);
    world.settle();
    NodeId node = world.segments("s").getFirst().node();
    var latest = world.store.toc().node(node).orElseThrow();
    world.ingest(TocWorld.said("s", "2026-01-30T18:00:00Z", 3, GONE));
    world.settle();
    int version = latest.edition().version() + 1;
    var later = latest.withEdition(latest.edition().withVersion(version, world.now));
    world.store.commit(Commit.of(new Change.PutNode(later)));
    assertThat(world.store.toc().versions(node)).hasSize(2);
    erase(TocWorld.said("s", "2026-01-30T18:00:00Z", 3, GONE));
    assertThat(world.store.toc().versions(node)).containsExactly(version);
  }
}
