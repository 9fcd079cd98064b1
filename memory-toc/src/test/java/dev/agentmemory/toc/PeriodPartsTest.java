package dev.agentmemory.toc;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.testkit.store.HeapStore;
import dev.agentmemory.testkit.store.InterceptedStore;
import dev.agentmemory.toc.segment.SegmentationConfig;
import dev.agentmemory.toc.summary.PeriodPart;
import dev.agentmemory.toc.summary.Strand;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/// The strands of a day's and a week's bullets. The summariser of [TocWorld] titles a segment by
/// its first text and repeats that as a bullet of the day.
class PeriodPartsTest {

  private static final String WEEK = "toc:week:2026:W05";

  private final AtomicBoolean damaged = new AtomicBoolean();
  private final TocWorld world =
      new TocWorld(
          damageable(new HeapStore(ZoneOffset.UTC)),
          Instant.parse("2026-03-01T00:00:00Z"),
          SegmentationConfig.DEFAULT);

  @Test
  void week_sessionOverMidnight_isOneStrand_titledByItsFirstSegment() {
    world.ingest(
        TocWorld.said("s", "2026-01-28T23:50:00Z", 1, "Move the photos."),
        TocWorld.said("s", "2026-01-29T01:50:00Z", 2, "All photos are moved."));
    world.settle();

    assertThat(strands(WEEK))
        .containsExactly(entry("s", "Move the photos."), entry("s", "Move the photos."));
  }

  @Test
  void week_sessionThatBeganInTheWeekBefore_isTitledByItsFirstSegmentInTheWeek() {
    world.ingest(
        TocWorld.said("s", "2026-01-23T10:00:00Z", 1, "Move the photos."),
        TocWorld.said("s", "2026-01-27T10:00:00Z", 2, "Go on with the photos."),
        TocWorld.said("s", "2026-01-28T10:00:00Z", 3, "All photos are moved."));
    world.settle();

    assertThat(strands(WEEK))
        .extracting(Map.Entry::getValue)
        .containsOnly("Go on with the photos.")
        .hasSize(2);
  }

  @Test
  void week_firstSegmentSaysNothing_isTitledByTheNextOne() {
    world.ingest(
        TocWorld.said("s", "2026-01-27T10:00:00Z", 1, " "),
        TocWorld.said("s", "2026-01-28T10:00:00Z", 2, "Move the photos."),
        TocWorld.said("s", "2026-01-29T10:00:00Z", 3, "All photos are moved."));
    world.settle();

    assertThat(strands(WEEK))
        .containsExactly(entry("s", "Move the photos."), entry("s", "Move the photos."));
  }

  @Test
  void week_subagent_isOfTheStrandOfItsSession() {
    world.ingest(
        TocWorld.said("s", "2026-01-28T10:00:00Z", 1, "Plan the audit log."),
        TocWorld.said("s/agent", "2026-01-28T10:01:00Z", 2, "Roles are not logged."));
    world.settle();

    assertThat(strands(WEEK))
        .containsExactly(entry("s", "Plan the audit log."), entry("s", "Plan the audit log."));
  }

  /// The session above has begun in another week.
  @Test
  void week_subagentAlone_isTitledByItsOwnSegment() {
    world.ingest(
        TocWorld.said("s", "2026-02-03T10:00:00Z", 1, "Plan the audit log."),
        TocWorld.said("s/agent", "2026-01-28T10:01:00Z", 2, "Roles are not logged."));
    world.settle();

    assertThat(strands(WEEK)).containsExactly(entry("s", "Roles are not logged."));
  }

  @Test
  void day_sessionAboveThatArrivesLater_takesItsSubagentIn() {
    world.ingest(TocWorld.said("s/agent", "2026-01-28T10:01:00Z", 2, "Roles are not logged."));
    world.settle();
    var parts = new PeriodParts(world.store);
    String day = "toc:day:2026-01-28";
    assertThat(told(parts.of(world.node(day))))
        .containsExactly(entry("s/agent", "Roles are not logged."));

    world.ingest(TocWorld.said("s", "2026-01-28T10:00:00Z", 1, "Plan the audit log."));
    world.settle();
    assertThat(parts.of(world.node(day)))
        .flatExtracting(PeriodPart::strands)
        .extracting(Strand::id)
        .containsExactly("s", "s");
  }

  @Test
  void month_strandsHaveNoTitle() {
    world.ingest(TocWorld.said("s", "2026-01-28T10:00:00Z", 1, "Move the photos."));
    world.settle();

    assertThat(strands("toc:month:2026:01")).containsExactly(entry("s", ""));
  }

  @Test
  void week_gripsDamaged_partsAreStrandsOfTheirOwn() {
    world.ingest(TocWorld.said("s", "2026-01-28T10:00:00Z", 1, "Move the photos."));
    world.settle();
    damaged.set(true);

    assertThat(strands(WEEK)).containsExactly(entry("toc:day:2026-01-28", ""));
  }

  /// Ids and titles.
  private List<Map.Entry<String, String>> strands(String period) {
    return told(new PeriodParts(world.store).of(world.node(period)));
  }

  private static List<Map.Entry<String, String>> told(List<PeriodPart> parts) {
    return parts.stream()
        .flatMap(part -> part.strands().stream())
        .map(strand -> entry(strand.id(), strand.title()))
        .toList();
  }

  private MemoryStore damageable(MemoryStore store) {
    return InterceptedStore.of(
        store,
        (method, arguments, call) -> {
          if (method.equals("grip") && damaged.get()) {
            throw new MemoryException(ErrorCode.CORRUPT_RECORD, arguments[0] + " is damaged");
          }
          return call.make();
        });
  }
}
