package dev.agentmemory.toc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.contents.GripContext;
import dev.agentmemory.store.EventSlice;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.store.HeapStore;
import dev.agentmemory.testkit.store.InterceptedStore;
import dev.agentmemory.toc.internal.segment.EventSizer;
import dev.agentmemory.toc.navigate.TocNavigator;
import dev.agentmemory.toc.segment.SegmentationConfig;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.TocLevel;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Events of a megabyte by the hundred: however many there are, few are held at a time.
@Tag("slow")
class LargeEventsTest {

  private static final Instant START = Instant.parse("2026-01-30T10:00:00Z");
  private static final int RESULTS = 400;

  /// Messages are read whole, which takes its time.
  private static final int MESSAGES = 40;

  private static final String LARGE = "x ".repeat(1 << 19);

  private final HeapStore heap = new HeapStore(ZoneOffset.UTC);
  private long heaviest;
  private final TocWorld world =
      new TocWorld(weighed(heap), START.plusSeconds(86_400), SegmentationConfig.DEFAULT);

  @Test
  void projection_ofLargeResults_takesFewAtATimeAndAllInTheEnd() {
    ingest(RESULTS, EventType.TOOL_RESULT);
    world.project(1024);
    assertThat(heaviest).isPositive().isLessThanOrEqualTo(16L << 20);
    assertThat(world.segments("s").stream().mapToInt(s -> s.entries().size()).sum())
        .isEqualTo(RESULTS);
  }

  @Test
  void projection_ofLargeMessages_takesFewAtATimeAndAllInTheEnd() {
    ingest(MESSAGES, EventType.USER_MESSAGE);
    world.project(1024);
    assertThat(heaviest).isPositive().isLessThanOrEqualTo(16L << 20);
    assertThat(world.segments("s")).hasSize(MESSAGES);
  }

  @Test
  void projection_ofMuchMetadata_keepsWhoSpeaksAndNoMore() {
    var sizer = new EventSizer(TocWorld.WORDS, SegmentationConfig.DEFAULT);
    Event event = TestEvents.message("s", START, "text");
    var much = Map.of("speaker", "Ana", "failed", "true", "diff", "y".repeat(5000));
    Event cut = sizer.cut(TestEvents.from(event, "agent", much));
    assertThat(cut.metadata())
        .containsOnly(Map.entry("speaker", "Ana"), Map.entry("failed", "true"));
    assertThat(cut.text()).isEqualTo("text");
  }

  @Test
  void rebuild_ofLargeResults_readsFewAtATimeAndGivesTheSame() {
    ingest(RESULTS, EventType.TOOL_RESULT);
    world.project(1024);
    List<Segment> before = world.segments("s");
    heaviest = 0;
    world.rebuild.run();
    assertThat(heaviest).isPositive().isLessThanOrEqualTo(16L << 20);
    assertThat(world.segments("s")).isEqualTo(before);
  }

  @Test
  void expand_amongLargeEvents_showsTheNearestThatFit() {
    ingest(MESSAGES, EventType.USER_MESSAGE);
    world.project(1024);
    heaviest = 0;
    var navigator = new TocNavigator(world.store, TocWorld.WORDS);
    GripContext context = navigator.expand(gripInTheMiddle(), 200, 200).orElseThrow();
    assertThat(heaviest).isPositive().isLessThanOrEqualTo(2L << 20);
    Instant middle = context.grip().timestamp();
    assertThat(context.before())
        .extracting(Event::timestamp)
        .containsExactly(middle.minusSeconds(2), middle.minusSeconds(1));
    assertThat(context.after())
        .extracting(Event::timestamp)
        .containsExactly(middle.plusSeconds(1), middle.plusSeconds(2));
  }

  private GripId gripInTheMiddle() {
    return world
        .store
        .toc()
        .node(world.ids(TocLevel.SEGMENT).get(MESSAGES / 2))
        .orElseThrow()
        .grips()
        .stream()
        .findFirst()
        .orElseThrow();
  }

  private void ingest(int count, EventType type) {
    world.ingest(
        IntStream.range(0, count)
            .mapToObj(i -> TocWorld.event("s", START.plusSeconds(i), i, type, LARGE))
            .toList());
  }

  /// The store, with a note of the heaviest answer it has given.
  private MemoryStore weighed(MemoryStore store) {
    return InterceptedStore.of(
        store,
        (_, _, call) -> {
          Object answer = call.make();
          heaviest = Math.max(heaviest, weight(answer));
          return answer;
        });
  }

  private static long weight(Object answer) {
    List<?> events =
        answer instanceof EventSlice slice
            ? slice.events()
            : answer instanceof List<?> list ? list : List.of();
    return events.stream().mapToLong(one -> one instanceof Event event ? event.chars() : 0).sum();
  }
}
