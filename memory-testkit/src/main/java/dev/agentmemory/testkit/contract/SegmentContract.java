package dev.agentmemory.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.store.Change;
import dev.agentmemory.store.StoreUsage;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.TestSegments;
import dev.agentmemory.types.Boundary;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.SegmentId;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Contract of segments.
public abstract class SegmentContract extends StoreContract {

  private static final Instant FAR = Instant.parse("2286-01-01T00:00:00Z");

  private final SessionId session = new SessionId("s");
  private final List<Event> events = TestEvents.messages("s", 6);
  private final Segment first = segment(Boundary.TOKENS, 0, 2);
  private final Segment second = segment(Boundary.GAP, 2, 4);
  private final Segment third = segment(Boundary.OPEN, 4, 5);

  @Test
  void segments_none_areFoundNowhere() {
    assertThat(store().segments().segment(new SegmentId(events.getFirst().id()))).isEmpty();
    assertThat(store().segments().segmentAt(session, events.getFirst().key())).isEmpty();
    assertThat(store().segments().segmentsAfter(session, Optional.empty(), 10)).isEmpty();
    assertThat(store().segments().openSegments(FAR, 10)).isEmpty();
  }

  @Test
  void usage_afterCommits_countsWhatIsThere() {
    assertThat(store().usage())
        .usingRecursiveComparison()
        .ignoringFields("diskBytes", "tables")
        .isEqualTo(new StoreUsage(0, 0, 0, 0, 0, 0, 0, 0, 0, List.of()));
    putAll();
    append(TestEvents.messages("other", 2));
    StoreUsage before = store().usage();
    assertThat(before.events()).isEqualTo(8);
    assertThat(before.sessions()).isEqualTo(2);
    assertThat(before.segments()).isEqualTo(3);
    assertThat(before.outboxEntries()).isEqualTo(8);
    assertThat(before.nodes()).isEqualTo(before.nodeVersions());
    commit(new Change.TrimOutbox(5));
    assertThat(store().usage().outboxEntries()).isEqualTo(3);
  }

  @Test
  void segmentAt_place_isTheLastThatStartsThereOrBefore() {
    putAll();
    assertThat(store().segments().segmentAt(session, events.get(0).key())).contains(first);
    assertThat(store().segments().segmentAt(session, events.get(1).key())).contains(first);
    assertThat(store().segments().segmentAt(session, events.get(2).key())).contains(second);
    assertThat(store().segments().segmentAt(session, events.get(5).key())).contains(third);
    var before = TestEvents.message("s", TestEvents.START.minusSeconds(1), "x").key();
    assertThat(store().segments().segmentAt(session, before)).isEmpty();
    assertThat(store().segments().segmentAt(new SessionId("r"), events.get(5).key())).isEmpty();
    assertThat(store().segments().segmentAt(new SessionId("t"), events.get(5).key())).isEmpty();
  }

  @Test
  void segmentsAfter_pages_joinWithoutGapOrRepetition() {
    putAll();
    assertThat(store().segments().segmentsAfter(session, Optional.empty(), 2))
        .containsExactly(first, second);
    assertThat(store().segments().segmentsAfter(session, Optional.of(second.first()), 2))
        .containsExactly(third);
    assertThat(store().segments().segmentsAfter(session, Optional.of(third.first()), 2)).isEmpty();
  }

  @Test
  void putSegment_equalId_replaces() {
    putAll();
    Segment grown = segment(Boundary.OPEN, 4, 6);
    commit(new Change.PutSegment(grown));
    assertThat(store().segments().segment(grown.id())).contains(grown);
    assertThat(store().segments().segmentsAfter(session, Optional.empty(), 10))
        .containsExactly(first, second, grown);
  }

  @Test
  void openSegments_time_countsTheLastEvent() {
    putAll();
    assertThat(store().segments().openSegments(third.end().minusMillis(1), 10)).isEmpty();
    assertThat(store().segments().openSegments(third.end(), 10)).containsExactly(third);
    Segment grown = segment(Boundary.OPEN, 4, 6);
    commit(new Change.PutSegment(grown));
    assertThat(store().segments().openSegments(third.end(), 10)).isEmpty();
    assertThat(store().segments().openSegments(FAR, 10)).containsExactly(grown);
  }

  @Test
  void openSegments_closed_areGone() {
    putAll();
    commit(new Change.PutSegment(segment(Boundary.GAP, 4, 6)));
    assertThat(store().segments().openSegments(FAR, 10)).isEmpty();
  }

  @Test
  void openSegments_limit_isKept() {
    append(events);
    append(TestEvents.messages("t", 1));
    commit(
        new Change.PutSegment(third),
        new Change.PutSegment(TestSegments.segment(Boundary.OPEN, TestEvents.messages("t", 1))));
    assertThat(store().segments().openSegments(FAR, 1)).hasSize(1);
    assertThat(store().segments().openSegments(FAR, 9)).hasSize(2);
  }

  @Test
  void dropSegment_some_areGoneEverywhere() {
    putAll();
    commit(new Change.DropSegment(third.id()), new Change.DropSegment(first.id()));
    commit(new Change.DropSegment(first.id()));
    assertThat(store().segments().segment(third.id())).isEmpty();
    assertThat(store().segments().openSegments(FAR, 10)).isEmpty();
    assertThat(store().segments().segmentsAfter(session, Optional.empty(), 10))
        .containsExactly(second);
    assertThat(store().events().events(List.of(events.get(4).key()))).hasSize(1);
  }

  private void putAll() {
    append(events);
    commit(
        new Change.PutSegment(first), new Change.PutSegment(second), new Change.PutSegment(third));
  }

  private Segment segment(Boundary boundary, int from, int to) {
    return TestSegments.segment(boundary, events.subList(from, to));
  }
}
