package dev.agentmemory.toc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.toc.segment.SegmentationConfig;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Segment;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Segments by time, in zones on both sides of the date line.
class SegmentFinderTest {

  private static final Instant START = Instant.parse("2026-01-30T00:00:00Z");

  @ParameterizedTest
  @ValueSource(strings = {"UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago", "Europe/Paris"})
  void find_range_hasWhatBeginsInIt(String zone) {
    TocWorld world = world(zone);
    var finder = new SegmentFinder(world.store);
    Instant from = START.plus(Duration.ofHours(7));
    Instant to = START.plus(Duration.ofHours(60));

    List<Instant> found =
        finder.find(from, to, Optional.empty(), 1000).stream().map(Segment::start).toList();

    assertThat(found)
        .containsExactlyElementsOf(
            IntStream.range(7, 60).mapToObj(hour -> START.plus(Duration.ofHours(hour))).toList());
    assertThat(finder.find(to, to, Optional.empty(), 10)).isEmpty();
    assertThat(finder.find(Instant.EPOCH, START, Optional.empty(), 10)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 400})
  void find_pages_joinWithoutGapOrRepetition(int limit) {
    TocWorld world = world("UTC");
    var finder = new SegmentFinder(world.store);
    Instant end = START.plus(Duration.ofDays(30));
    List<Segment> all = new ArrayList<>();
    Optional<NodeId> place = Optional.empty();
    List<Segment> page;
    do {
      page = finder.find(START, end, place, limit);
      all.addAll(page);
      place = page.isEmpty() ? place : Optional.of(page.getLast().node());
    } while (!page.isEmpty());
    assertThat(all).hasSize(300).doesNotHaveDuplicates();
  }

  @Test
  void find_moreThanIsReadAtATime_isAllInOneAnswer() {
    TocWorld world = world("UTC");
    var finder = new SegmentFinder(world.store);
    Instant end = START.plus(Duration.ofDays(30));
    assertThat(finder.find(START, end, Optional.empty(), 1000)).hasSize(300);
  }

  /// A segment every hour.
  private static TocWorld world(String zone) {
    var world =
        new TocWorld(zone, Instant.parse("2027-06-01T00:00:00Z"), SegmentationConfig.DEFAULT);
    List<Event> events =
        IntStream.range(0, 300)
            .mapToObj(hour ->
                TocWorld.said(
                    "s", START.plus(Duration.ofHours(hour)).toString(), hour, "hour " + hour))
            .toList();
    world.ingest(events);
    world.project(1000);
    return world;
  }
}
