package dev.agentmemory.toc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.toc.segment.SegmentationConfig;
import dev.agentmemory.types.Boundary;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Where a session is cut, and what late events do to it.
class SegmentationTest {

  private static final Instant START = Instant.parse("2026-01-30T10:00:00Z");
  private static final SegmentationConfig CONFIG =
      new SegmentationConfig(
          Duration.ofMinutes(30), 64, 0.25, Duration.ofMinutes(5), 20, 2000, Duration.ZERO);

  private final TocWorld world = new TocWorld("UTC", START.plus(Duration.ofDays(9)), CONFIG);

  @Test
  void silence_ofExactlyTheThreshold_cuts() {
    said(0, "one");
    said(29 * 60 + 59, "two");
    said(29 * 60 + 59 + 30 * 60, "three");
    world.project(10);

    assertThat(world.segments("s")).extracting(s -> s.entries().size()).containsExactly(2, 1);
    assertThat(world.segments("s"))
        .extracting(Segment::boundary)
        .containsExactly(Boundary.GAP, Boundary.OPEN);
  }

  @Test
  void tokens_atTheThreshold_joinAndOneMoreCuts() {
    said(0, words(60));
    answered(1, words(4));
    answered(2, "x");
    world.project(10);

    assertThat(world.segments("s")).extracting(Segment::tokens).containsExactly(64, 1);
    assertThat(world.segments("s").getFirst().boundary()).isEqualTo(Boundary.TOKENS);
  }

  @Test
  void turn_atThreeQuartersOfTheThreshold_cuts() {
    said(0, words(40));
    answered(1, words(7));
    said(2, "joins");
    said(3, "begins the next");
    world.project(10);

    assertThat(world.segments("s")).extracting(Segment::tokens).containsExactly(48, 3);
  }

  @Test
  void textOfTools_countsAQuarter() {
    said(0, words(4));
    tool(1, words(100));
    answered(2, words(35));
    answered(3, "x");
    world.project(10);

    assertThat(world.segments("s")).extracting(Segment::tokens).containsExactly(139, 1);
  }

  @Test
  void textOfTools_pastTheThreshold_joinsUntilSomebodySpeaks() {
    said(0, words(60));
    tool(1, words(80));
    tool(2, words(80));
    answered(3, "done");
    world.project(1);

    assertThat(world.segments("s")).extracting(s -> s.entries().size()).containsExactly(3, 1);
  }

  @Test
  void textOfTools_pastTwiceTheThreshold_cuts() {
    said(0, words(60));
    tool(1, words(272));
    tool(2, "x");
    world.project(1);

    assertThat(world.segments("s")).extracting(s -> s.entries().size()).containsExactly(2, 1);
  }

  @Test
  void firstWords_behindMuchTextOfTools_joinIt() {
    tool(0, words(240));
    said(1, words(60));
    world.project(1);

    assertThat(world.segments("s")).hasSize(1);
  }

  @Test
  void resultOfATool_longAfterItsCall_belongsToTheWorkBefore() {
    said(0, "run the long job");
    tool(4 * 3600 - 1, "done");
    answered(4 * 3600, "it passed");
    world.project(1);
    assertThat(world.segments("s")).hasSize(1);

    tool(8 * 3600, "another");
    world.project(1);
    assertThat(world.segments("s")).extracting(s -> s.entries().size()).containsExactly(3, 1);
  }

  @Test
  void sessionEnd_onTheNextMorning_belongsToTheLastSegment() {
    said(0, "one");
    world.settle();
    assertThat(world.segments("s").getFirst().boundary()).isEqualTo(Boundary.GAP);

    world.ingest(event(16 * 3600, EventType.SESSION_END, ""));
    world.settle();
    assertThat(world.segments("s")).hasSize(1);
    Segment ended = world.segments("s").getFirst();
    assertThat(ended.boundary()).isEqualTo(Boundary.SESSION_END);
    TocNode node = world.store.toc().node(ended.node()).orElseThrow();
    assertThat(node.span().end()).isEqualTo(START);
    assertThat(world.store.toc().versions(node.id())).containsExactly(1);
    assertThat(world.store.verify(10)).isEmpty();
  }

  @Test
  void resultOfAToolAndSecondEnd_afterTheEnd_belongToTheEndedSegment() {
    said(0, "one");
    world.ingest(event(1, EventType.SESSION_END, ""));
    tool(2, "late");
    world.ingest(event(3, EventType.SESSION_END, ""));
    answered(4, "again");
    world.project(1);

    assertThat(world.segments("s")).extracting(s -> s.entries().size()).containsExactly(4, 1);
    assertThat(world.segments("s").getFirst().boundary()).isEqualTo(Boundary.SESSION_END);
  }

  @Test
  void event_largerThanTheThreshold_isASegmentOfItsOwn() {
    said(0, "before");
    said(1, words(100));
    said(2, "after");
    world.project(1);

    assertThat(world.segments("s")).extracting(Segment::tokens).containsExactly(1, 100, 1);
  }

  @Test
  void sessionEnd_always_closesAndResumeOpensTheNext() {
    said(0, "one");
    world.ingest(event(1, EventType.SESSION_END, ""));
    said(2, "again");
    world.project(1);

    assertThat(world.segments("s"))
        .extracting(Segment::boundary)
        .containsExactly(Boundary.SESSION_END, Boundary.OPEN);
    assertThat(world.segments("s").getLast().overlap()).hasSize(2);
  }

  @Test
  void overlap_isYoungAndSmall_neverCounted() {
    said(0, words(30));
    said(100, words(15));
    said(200, words(5));
    said(300, words(40));
    world.project(10);

    Segment second = world.segments("s").getLast();
    assertThat(second.overlap()).hasSize(2);
    assertThat(second.tokens()).isEqualTo(40);
  }

  @Test
  void overlap_reachesBackToExactlyItsTime() {
    said(0, "too old");
    said(1, "old");
    said(301, words(63));
    world.project(10);
    assertThat(world.segments("s").getLast().overlap()).hasSize(1);
  }

  @Test
  void flush_moreThanABatch_closesAllThatAreSilentForExactlyTheThreshold() {
    for (int i = 0; i < 300; i++) {
      world.ingest(TocWorld.event("s" + i, START, i, EventType.USER_MESSAGE, "one"));
    }
    world.ingest(TocWorld.event("later", START.plusMillis(1), 300, EventType.USER_MESSAGE, "two"));
    world.project(1000);
    world.now = START.plus(Duration.ofMinutes(30)).minusMillis(1);
    assertThat(world.flush.run()).isZero();
    assertThat(world.flush.nextSilence()).contains(START.plus(Duration.ofMinutes(30)));

    world.now = START.plus(Duration.ofMinutes(30));
    assertThat(world.flush.run()).isEqualTo(300);
    assertThat(world.segments("s7").getFirst().boundary()).isEqualTo(Boundary.GAP);
    assertThat(world.segments("later").getFirst().boundary()).isEqualTo(Boundary.OPEN);
    assertThat(world.flush.nextSilence())
        .contains(START.plus(Duration.ofMinutes(30)).plusMillis(1));
    assertThat(world.store.verify(10)).isEmpty();
  }

  @Test
  void entriesThatAreAppliedAgain_changeNothing() {
    said(0, "one");
    said(10, "two");
    said(40 * 60, "three");
    world.project(10);
    List<Segment> before = world.segments("s");
    assertThat(before).hasSize(2);
    world.store.outbox().entries(0, 10).forEach(world.projection::retry);
    assertThat(world.segments("s")).isEqualTo(before);
    assertThat(world.store.verify(10)).isEmpty();
  }

  @Test
  void lateEvent_inAGap_gluesTwoSegmentsAndTheSecondVanishes() {
    said(0, "one");
    said(40 * 60, "two");
    world.settle();
    List<Segment> before = world.segments("s");
    NodeId second = before.getLast().node();
    assertThat(before).hasSize(2);

    said(20 * 60, "late");
    world.settle();

    assertThat(world.segments("s")).extracting(s -> s.entries().size()).containsExactly(3);
    assertThat(world.store.toc().node(second)).isEmpty();
    assertThat(world.store.toc().versions(second)).containsExactly(1);
    assertThat(world.node("toc:day:2026-01-30").children()).doesNotContain(second);
    assertThat(world.store.toc().versions(world.segments("s").getFirst().node()))
        .containsExactly(1, 2);
    assertThat(world.store.verify(10)).isEmpty();
  }

  /// Each border behind it moves, through more segments than are read at a time.
  @Test
  void lateEvent_atTheBeginningOfALongSession_movesEveryBorderBehindIt() {
    for (int i = 0; i < 240; i++) {
      answered(10 + i, words(10));
    }
    world.project(1000);
    assertThat(world.segments("s")).hasSize(40);
    said(5, words(5));
    world.project(1000);

    TocWorld straight = new TocWorld("UTC", world.now, CONFIG);
    straight.ingest(
        world.store.events().events(START, START.plusSeconds(600), Optional.empty(), 1000));
    straight.project(1000);
    assertThat(world.segments("s")).hasSizeGreaterThan(39).isEqualTo(straight.segments("s"));
    assertThat(world.store.verify(10)).isEmpty();
  }

  @Test
  void lateEvent_beforeMidnight_movesTheSegmentToTheDayBefore() {
    world.ingest(TocWorld.said("s", "2026-01-31T00:10:00Z", 1, "after midnight"));
    world.settle();
    assertThat(world.ids(TocLevel.DAY)).extracting(NodeId::value).containsExactly(day("31"));

    world.ingest(TocWorld.said("s", "2026-01-30T23:50:00Z", 2, "before midnight"));
    world.settle();

    assertThat(world.ids(TocLevel.DAY)).extracting(NodeId::value).containsExactly(day("30"));
    assertThat(world.segments("s")).hasSize(1);
    assertThat(world.store.verify(10)).isEmpty();
  }

  @Test
  void openSegment_isVisibleAtOnceAndReplacedNotKept() {
    world.now = START.plusSeconds(60);
    said(0, "one");
    world.project(10);
    NodeId node = world.segments("s").getFirst().node();
    assertThat(world.store.toc().node(node).orElseThrow().edition().provisional()).isTrue();

    said(30, "two");
    world.project(10);
    assertThat(world.store.toc().node(node).orElseThrow().bullets()).hasSize(1);
    world.digests.run();
    assertThat(world.store.toc().versions(node)).containsExactly(1);
    assertThat(world.store.toc().node(node).orElseThrow().bullets()).hasSize(2);

    world.now = START.plus(Duration.ofDays(2));
    world.settle();
    assertThat(world.store.toc().node(node).orElseThrow().edition().provisional()).isFalse();
    assertThat(world.segments("s").getFirst().boundary()).isEqualTo(Boundary.GAP);
    assertThat(world.node(day("30")).edition().provisional()).isFalse();
  }

  @Test
  void flush_whileTheProjectionIsBehind_closesNothing() {
    said(0, "one");
    said(10, "two");
    world.projection.apply(world.store.outbox().entries(0, 1));
    assertThat(world.flush.run()).isZero();
    world.project(10);
    assertThat(world.flush.run()).isEqualTo(1);
  }

  @Test
  void dayThatEndsWithoutAnotherEvent_becomesFinalByTheNextRollup() {
    world.now = Instant.parse("2026-01-30T22:00:00Z");
    said(0, "one");
    world.settle();
    assertThat(world.node(day("30")).edition().provisional()).isTrue();

    world.now = Instant.parse("2026-01-31T00:00:00Z");
    world.rollUp();
    assertThat(world.node(day("30")).edition().provisional()).isFalse();
    assertThat(world.node("toc:week:2026:W05").edition().provisional()).isTrue();
  }

  @Test
  void replacedVersion_leavesNoGripBehind() {
    world.now = START.plusSeconds(600);
    for (int i = 10; i < 13; i++) {
      said(i, "statement " + i);
      world.settle();
    }
    var dropped = world.segments("s").getFirst();
    said(1, "an earlier first statement");
    world.settle();

    assertThat(world.store.toc().node(dropped.node())).isEmpty();
    TocWorld straight = new TocWorld("UTC", world.now, CONFIG);
    straight.ingest(world.store.events().events(START, START.plusSeconds(60), Optional.empty(), 9));
    straight.settle();
    assertThat(world.picture()).isEqualTo(straight.picture());
  }

  private void said(long second, String text) {
    world.ingest(event(second, EventType.USER_MESSAGE, text));
  }

  private void answered(long second, String text) {
    world.ingest(event(second, EventType.ASSISTANT_MESSAGE, text));
  }

  private void tool(long second, String text) {
    world.ingest(event(second, EventType.TOOL_RESULT, text));
  }

  private static Event event(long second, EventType type, String text) {
    return TocWorld.event("s", START.plusSeconds(second), (int) second, type, text);
  }

  private static String words(int count) {
    return "w ".repeat(count).strip();
  }

  private static String day(String day) {
    return "toc:day:2026-01-" + day;
  }
}
