package dev.agentmemory.toc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.toc.segment.SegmentationConfig;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The table of contents is a function of the events, not of how they arrive.
class ArrivalOrderTest {

  private static final Instant START = Instant.parse("2024-12-28T20:00:00Z");
  private static final SegmentationConfig CONFIG =
      new SegmentationConfig(
          Duration.ofMinutes(30), 64, 0.25, Duration.ofMinutes(5), 20, 2000, Duration.ZERO);
  private static final Duration END = Duration.ofDays(40);

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
  void toc_anyArrivalOrderAndBatching_isThatOfOneOrderedBatch(long seed) {
    var random = new Random(seed);
    List<Event> events = history(random);
    TocWorld expected = new TocWorld("Europe/Berlin", START.plus(END), CONFIG);
    expected.ingest(events);
    expected.settle();

    TocWorld shuffled = new TocWorld("Europe/Berlin", START.plus(END), CONFIG);
    List<Event> arrival = new ArrayList<>(events);
    Collections.shuffle(arrival, random);
    while (!arrival.isEmpty()) {
      List<Event> some = arrival.subList(0, Math.min(arrival.size(), 1 + random.nextInt(40)));
      shuffled.ingest(some);
      some.clear();
      shuffled.project(1 + random.nextInt(17));
      disturb(shuffled, random);
      assertThat(shuffled.store.verify(10)).as("seed %d", seed).isEmpty();
    }
    shuffled.settle();

    assertThat(expected.picture()).hasSizeGreaterThan(30);
    assertThat(shuffled.allSegments(events))
        .as("seed %d", seed)
        .isEqualTo(expected.allSegments(events));
    assertThat(shuffled.picture()).as("seed %d", seed).isEqualTo(expected.picture());
    assertThat(shuffled.store.verify(10)).isEmpty();
    assertThat(expected.store.verify(10)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {21, 22, 23, 24})
  void rebuild_ofAnyState_changesNothing(long seed) {
    var random = new Random(seed);
    TocWorld world = new TocWorld("UTC", START.plus(END), CONFIG);
    List<Event> events = history(random);
    Collections.shuffle(events, random);
    world.ingest(events);
    world.project(7);
    world.settle();
    var before = world.picture();

    world.rebuild.run();
    world.settle();

    assertThat(world.picture()).isEqualTo(before);
    assertThat(world.rebuild.isUnfinished()).isFalse();
    assertThat(world.store.verify(10)).isEmpty();
  }

  /// Jobs run at any time, also in the middle of an import.
  static void disturb(TocWorld world, Random random) {
    if (random.nextInt(3) == 0) {
      world.flush.run();
    }
    if (random.nextInt(3) == 0) {
      world.digests.run();
    }
    if (random.nextInt(3) == 0) {
      world.rollUp();
    }
  }

  static List<Event> history(Random random) {
    List<Event> events = new ArrayList<>();
    for (int session = 0; session < 4; session++) {
      Instant time = START.plus(Duration.ofHours(random.nextInt(48)));
      int count = 20 + random.nextInt(60);
      for (int i = 0; i < count; i++) {
        time = time.plus(pause(random));
        events.add(
            TocWorld.event(
                    "session-" + session, time, random.nextInt(1 << 16), type(random), text(random))
                .withPosition(i + 1));
      }
    }
    return events;
  }

  private static Duration pause(Random random) {
    return switch (random.nextInt(20)) {
      case 0 -> Duration.ofMinutes(30);
      case 1 -> Duration.ofHours(random.nextInt(30));
      case 2, 3, 4, 5, 6, 7 -> Duration.ZERO;
      default -> Duration.ofSeconds(random.nextInt(400));
    };
  }

  private static EventType type(Random random) {
    return switch (random.nextInt(25)) {
      case 0 -> EventType.SESSION_END;
      case 1 -> EventType.SESSION_START;
      case 2, 3, 4, 5, 6, 7 -> EventType.TOOL_RESULT;
      case 8, 9, 10, 11, 12, 13 -> EventType.ASSISTANT_MESSAGE;
      default -> EventType.USER_MESSAGE;
    };
  }

  private static String text(Random random) {
    int words = random.nextInt(20) == 0 ? 80 : 1 + random.nextInt(15);
    var text = new StringBuilder();
    for (int i = 0; i < words; i++) {
      text.append(i == 0 ? "" : " ").append((char) ('a' + random.nextInt(26)));
    }
    return text.toString();
  }
}
