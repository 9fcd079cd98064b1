package dev.agentmemory.toc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.testkit.store.HeapStore;
import dev.agentmemory.toc.segment.BpeTokens;
import dev.agentmemory.toc.segment.SegmentationConfig;
import dev.agentmemory.toc.summary.Digest;
import dev.agentmemory.toc.summary.PeriodPart;
import dev.agentmemory.toc.summary.Point;
import dev.agentmemory.toc.summary.SegmentText;
import dev.agentmemory.toc.summary.Strand;
import dev.agentmemory.toc.summary.Summarizer;
import dev.agentmemory.toc.summary.Summary;
import dev.agentmemory.toc.summary.extractive.ExtractiveSummarizer;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.TocLevel;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RollupTest {

  private static final Path FOLDER = Path.of("src/test/resources/dev/agentmemory/toc");
  private static final Instant NOW = Instant.parse("2027-02-01T00:00:00Z");

  @Test
  void week_titleOfASegmentChangesButNothingOfItsDay_isSummarisedAgain() {
    TocWorld world = world(new LastTitles());
    world.ingest(TocWorld.said("s", "2026-01-28T10:00:00Z", 1, "first"));
    world.settle();
    var day = world.node("toc:day:2026-01-28");
    assertThat(world.node("toc:week:2026:W05").summary()).contains("first");

    world.ingest(TocWorld.said("s", "2026-01-28T10:01:00Z", 2, "second"));
    world.settle();
    assertThat(world.node("toc:day:2026-01-28")).isEqualTo(day);
    assertThat(world.node("toc:week:2026:W05").summary()).contains("second");
  }

  /// Segments of many sessions over weeks, subagents and a session over midnight among them.
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void periods_anyArrivalOrder_andARebuild_giveTheSame(long seed) throws IOException {
    var random = new Random(seed);
    List<Event> events =
        new ArrayList<>(SessionFile.read(FOLDER.resolve("histories/trips-from-april-to-june.txt")));
    events.addAll(SessionFile.read(FOLDER.resolve("sessions/18-subagents-audit-logging.txt")));
    TocWorld expected = world(new ExtractiveSummarizer());
    expected.ingest(events);
    expected.settle();

    TocWorld shuffled = world(new ExtractiveSummarizer());
    List<Event> arrival = new ArrayList<>(events);
    Collections.shuffle(arrival, random);
    while (!arrival.isEmpty()) {
      List<Event> some = arrival.subList(0, Math.min(arrival.size(), 1 + random.nextInt(9)));
      shuffled.ingest(some);
      some.clear();
      shuffled.project(1 + random.nextInt(9));
      ArrivalOrderTest.disturb(shuffled, random);
    }
    shuffled.settle();
    assertThat(shuffled.picture()).as("seed %d", seed).isEqualTo(expected.picture());

    shuffled.rebuild.run();
    shuffled.settle();
    assertThat(shuffled.picture()).as("seed %d", seed).isEqualTo(expected.picture());
    assertThat(shuffled.store.verify(10)).isEmpty();
  }

  private static TocWorld world(Summarizer summarizer) {
    return new TocWorld(
        new HeapStore(ZoneOffset.UTC),
        NOW,
        SegmentationConfig.DEFAULT,
        summarizer,
        new BpeTokens());
  }

  /// Titles a segment by its last text and repeats its first one; a week is the titles of its
  /// strands.
  private static final class LastTitles implements Summarizer {

    @Override
    public String name() {
      return "last_titles";
    }

    @Override
    public Summary summarize(SegmentText passage) {
      String first = passage.events().getFirst().text();
      return new Summary(
          Optional.of(passage.events().getLast().text()),
          Optional.empty(),
          List.of(new Point(first, first, 0, 0, 0.5)),
          List.of());
    }

    @Override
    public Digest digest(TocLevel level, List<PeriodPart> parts) {
      String titles =
          parts.stream()
              .flatMap(part -> part.strands().stream())
              .map(Strand::title)
              .collect(Collectors.joining(" "));
      return new Digest(
          level == TocLevel.WEEK ? Optional.of(titles) : Optional.empty(),
          parts.stream().flatMap(part -> part.node().bullets().stream()).toList(),
          List.of());
    }
  }
}
