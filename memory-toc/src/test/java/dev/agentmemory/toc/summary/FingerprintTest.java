package dev.agentmemory.toc.summary;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.Bullet;
import dev.agentmemory.types.Edition;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Span;
import dev.agentmemory.types.TocNode;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FingerprintTest {

  private static final Event FIRST = TestEvents.message("s", Instant.EPOCH, "we chose backoff");
  private static final Event SECOND =
      TestEvents.answer("s", Instant.EPOCH.plusSeconds(1), "with jitter");

  @Test
  void passage_isTheSameWhateverWasSaidBefore() {
    assertThat(Fingerprint.of(new SegmentText(List.of(FIRST), List.of())))
        .hasSize(24)
        .isEqualTo(Fingerprint.of(new SegmentText(List.of(FIRST), List.of(SECOND))));
  }

  @Test
  void passage_changesWithEveryEvent() {
    String one = Fingerprint.of(new SegmentText(List.of(FIRST), List.of()));
    assertThat(one)
        .isNotEqualTo(Fingerprint.of(new SegmentText(List.of(FIRST, SECOND), List.of())))
        .isNotEqualTo(Fingerprint.of(new SegmentText(List.of(SECOND), List.of())));
  }

  @Test
  void passage_isTheSameOnceTheSessionHasEnded() {
    Event end = TestEvents.end("s", Instant.EPOCH.plusSeconds(2));
    assertThat(Fingerprint.of(new SegmentText(List.of(FIRST, end), List.of())))
        .isEqualTo(Fingerprint.of(new SegmentText(List.of(FIRST), List.of())));
  }

  @Test
  void period_changesWithTheWordsOfItsParts_notWithTheirVersions() {
    TocNode day = day("we chose backoff", 1);
    assertThat(Fingerprint.of(List.of(day)))
        .isEqualTo(Fingerprint.of(List.of(day("we chose backoff", 2))))
        .isNotEqualTo(Fingerprint.of(List.of(day("we chose polling", 1))))
        .isNotEqualTo(Fingerprint.of(List.of(day, day)));
  }

  private static TocNode day(String text, int version) {
    var start = Instant.parse("2026-01-30T00:00:00Z");
    return new TocNode(
        NodeId.day(LocalDate.of(2026, 1, 30)),
        "Friday",
        Optional.empty(),
        List.of(new Bullet(text, List.of(), 0.5)),
        List.of(),
        List.of(),
        new Span(start, start.plusSeconds(1)),
        new Edition(version, start, /* provisional= */ false, "extractive"));
  }
}
