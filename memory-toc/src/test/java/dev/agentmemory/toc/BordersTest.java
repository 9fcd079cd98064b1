package dev.agentmemory.toc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.toc.internal.segment.TocCalendar;
import dev.agentmemory.toc.segment.SegmentationConfig;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Where events at the borders of years, months, weeks and days end up.
class BordersTest {

  private static final Instant LATER = Instant.parse("2030-01-01T00:00:00Z");

  @ParameterizedTest
  @CsvSource({
    "2024-12-30T10:00:00Z, UTC, 2025, 2025:01, 2025:W01, 2024-12-30",
    "2026-01-01T00:00:00Z, UTC, 2026, 2026:01, 2026:W01, 2026-01-01",
    "2025-12-31T23:59:59.999Z, UTC, 2026, 2026:01, 2026:W01, 2025-12-31",
    "2026-02-01T12:00:00Z, UTC, 2026, 2026:01, 2026:W05, 2026-02-01",
    "2026-02-02T12:00:00Z, UTC, 2026, 2026:02, 2026:W06, 2026-02-02",
    "2024-02-29T12:00:00Z, UTC, 2024, 2024:02, 2024:W09, 2024-02-29",
    "2021-01-03T12:00:00Z, UTC, 2020, 2020:12, 2020:W53, 2021-01-03",
    "2026-03-28T23:30:00Z, Europe/Berlin, 2026, 2026:03, 2026:W13, 2026-03-29",
    "2026-03-29T21:59:59Z, Europe/Berlin, 2026, 2026:03, 2026:W13, 2026-03-29",
    "2026-10-25T22:59:59Z, Europe/Berlin, 2026, 2026:10, 2026:W43, 2026-10-25",
    "2026-01-01T04:00:00Z, America/New_York, 2026, 2026:01, 2026:W01, 2025-12-31",
    "1970-01-01T00:00:00Z, UTC, 1970, 1970:01, 1970:W01, 1970-01-01",
  })
  void event_atABorder_hangsBelowItsThursday(
      String time, String zone, String year, String month, String week, String day) {
    TocWorld world = new TocWorld(zone, LATER, SegmentationConfig.DEFAULT);
    world.ingest(TocWorld.said("s", time, 1, "the one thing that was said"));
    world.settle();

    List<String> path =
        List.of("toc:year:" + year, "toc:month:" + month, "toc:week:" + week, "toc:day:" + day);
    assertThat(world.ids(TocLevel.YEAR)).extracting(NodeId::value).containsExactly(path.get(0));
    Instant moment = Instant.parse(time);
    TocNode parent = null;
    for (String id : path) {
      TocNode node = world.node(id);
      assertThat(moment).isBetween(node.span().start(), node.span().end());
      assertThat(node.span().end().toEpochMilli() % 1000).isEqualTo(999);
      assertThat(node.bullets()).hasSize(1);
      assertThat(node.edition().provisional()).isFalse();
      if (parent != null) {
        assertThat(parent.children()).containsExactly(node.id());
        assertThat(node.span().start()).isBetween(parent.span().start(), parent.span().end());
        assertThat(node.span().end()).isBetween(parent.span().start(), parent.span().end());
      }
      parent = node;
    }
    assertThat(world.store.verify(10)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "toc:year:2026, 2026, 2025-12-29T00:00:00Z, 2027-01-03T23:59:59.999Z",
    "toc:month:2026:01, January 2026, 2025-12-29T00:00:00Z, 2026-02-01T23:59:59.999Z",
    "toc:week:2026:W05, Week 5 of 2026, 2026-01-26T00:00:00Z, 2026-02-01T23:59:59.999Z",
  })
  void period_always_hasTitleAndSpanOfItsWeeks(String id, String title, String start, String end) {
    var calendar = new TocCalendar(ZoneId.of("UTC"));
    NodeId node = NodeId.parse(id).orElseThrow();
    assertThat(calendar.title(node)).isEqualTo(title);
    assertThat(calendar.span(node).start()).isEqualTo(start);
    assertThat(calendar.span(node).end()).isEqualTo(end);
  }

  @ParameterizedTest
  @CsvSource({"2026-03-29, 23", "2026-10-25, 25", "2026-06-01, 24"})
  void day_whenClocksChange_hasItsRealLength(String day, long hours) {
    var calendar = new TocCalendar(ZoneId.of("Europe/Berlin"));
    var span = calendar.span(NodeId.parse("toc:day:" + day).orElseThrow());
    assertThat(span.end().toEpochMilli() + 1 - span.start().toEpochMilli())
        .isEqualTo(hours * 3_600_000);
    assertThat(calendar.title(NodeId.parse("toc:day:2026-01-30").orElseThrow()))
        .isEqualTo("Friday, January 30, 2026");
  }
}
