package dev.agentmemory.toc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.toc.segment.SegmentationConfig;
import dev.agentmemory.types.Boundary;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.SegmentEntry;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.SessionId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A whole session with one timestamp, whose ids say nothing of its order.
class TiedEventsTest {

  private static final Instant TIME = Instant.parse("2026-01-30T10:00:00Z");
  private static final SegmentationConfig CONFIG =
      new SegmentationConfig(
          Duration.ofMinutes(30), 64, 0.25, Duration.ofMinutes(5), 20, 2000, Duration.ZERO);
  private static final List<EventType> TYPES =
      List.of(
          EventType.SESSION_START,
          EventType.USER_MESSAGE,
          EventType.ASSISTANT_MESSAGE,
          EventType.TOOL_RESULT,
          EventType.SESSION_END);

  private final TocWorld world = new TocWorld("UTC", TIME.plusSeconds(600), CONFIG);

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void session_withPositions_isReadInTheirOrder_andClosedOnce(long seed) {
    var random = new Random(seed);
    List<Event> events = session(random, /* placed= */ true);
    List<Event> arrival = new ArrayList<>(events);
    Collections.shuffle(arrival, random);
    arrival.forEach(event -> {
      world.ingest(event);
      world.project(1 + random.nextInt(3));
    });
    world.settle();
    assertOneClosedSegment(events);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void session_withoutPositions_keepsTheOrderOfItsArrival_andIsClosedOnce(long seed) {
    var random = new Random(seed);
    List<Event> events = session(random, /* placed= */ false);
    events.forEach(event -> {
      world.ingest(event);
      world.project(1 + random.nextInt(3));
    });
    world.settle();
    assertOneClosedSegment(events);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void segments_ofOneMillisecond_areTheSameWhateverTheArrival(long seed) {
    var random = new Random(seed);
    List<Event> events =
        IntStream.range(0, 60)
            .mapToObj(i -> event(random, EventType.USER_MESSAGE, "w ".repeat(1 + i % 30), i + 1))
            .toList();
    world.ingest(events);
    world.settle();
    TocWorld shuffled = new TocWorld("UTC", TIME.plusSeconds(600), CONFIG);
    List<Event> arrival = new ArrayList<>(events);
    Collections.shuffle(arrival, random);
    arrival.forEach(event -> {
      shuffled.ingest(event);
      shuffled.project(1);
    });
    shuffled.settle();
    assertThat(world.segments("s")).hasSizeGreaterThan(5);
    assertThat(shuffled.segments("s")).isEqualTo(world.segments("s"));
    assertThat(shuffled.picture()).isEqualTo(world.picture());
    assertThat(shuffled.node("toc:day:2026-01-30").children())
        .isEqualTo(world.segments("s").stream().map(Segment::node).toList());
    assertThat(shuffled.store.verify(10)).isEmpty();
    world.rebuild.run();
    world.settle();
    assertThat(shuffled.picture()).isEqualTo(world.picture());
  }

  private void assertOneClosedSegment(List<Event> events) {
    List<EventId> order = events.stream().map(Event::id).toList();
    assertThat(world.store.sessions().eventsAfter(new SessionId("s"), Optional.empty(), 10))
        .extracting(EventKey::id)
        .isEqualTo(order);
    assertThat(world.store.sessions().session(new SessionId("s"))).get().matches(Session::ended);
    assertThat(world.segments("s")).hasSize(1);
    Segment segment = world.segments("s").getFirst();
    assertThat(segment.boundary()).isEqualTo(Boundary.SESSION_END);
    assertThat(segment.entries().stream().map(SegmentEntry::key).map(EventKey::id).toList())
        .isEqualTo(order);
    assertThat(world.store.verify(10)).isEmpty();
  }

  private static List<Event> session(Random random, boolean placed) {
    return IntStream.range(0, TYPES.size())
        .mapToObj(i -> event(random, TYPES.get(i), "turn " + i, placed ? i + 1 : 0))
        .toList();
  }

  /// With an id that is derived from the content, as far as order goes: random.
  private static Event event(Random random, EventType type, String text, long position) {
    return TocWorld.event("s", TIME, random.nextInt(1 << 16), type, text).withPosition(position);
  }
}
