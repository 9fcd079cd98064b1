package dev.agentmemory.toc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.toc.segment.SegmentationConfig;
import dev.agentmemory.types.Boundary;
import dev.agentmemory.types.Bullet;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// When the digest of an open segment is stored, and what is read until then.
class OpenDigestsTest {

  private static final Instant START = Instant.parse("2026-01-30T10:00:00Z");
  private static final Duration REST = Duration.ofSeconds(3);
  private static final SegmentationConfig CONFIG =
      new SegmentationConfig(
          Duration.ofMinutes(30), 64, 0.25, Duration.ofMinutes(5), 20, 2000, REST);

  private final TocWorld world = new TocWorld("UTC", START, CONFIG);
  private final CurrentContents current = new CurrentContents(world.store, world.builder);
  private NodeId node;

  @BeforeEach
  void twoWereSaid() {
    said(0, "one");
    said(1, "two");
    node = world.segments("s").getFirst().node();
  }

  @Test
  void openSegment_isStoredAtOnce_withTheWordsOfItsFirstEvent() {
    assertThat(world.segments("s").getFirst().entries()).hasSize(2);
    assertThat(texts(stored())).containsExactly("one");
    assertThat(stored().edition().provisional()).isTrue();
  }

  @Test
  void digest_isStoredOnceTheSegmentRests() {
    world.now = START.plus(REST).minusMillis(1);
    assertThat(world.digests.run()).isEqualTo(new OpenDigests.Result(0, 1));
    assertThat(texts(stored())).containsExactly("one");

    world.now = START.plus(REST);
    assertThat(world.digests.run()).isEqualTo(new OpenDigests.Result(1, 0));
    assertThat(texts(stored())).containsExactly("one", "two");
    assertThat(world.store.toc().dirty(TocLevel.DAY, 9)).hasSize(1);
    assertThat(world.digests.run()).isEqualTo(new OpenDigests.Result(0, 0));
    assertThat(world.store.verify(10)).isEmpty();
  }

  @Test
  void eventThatComes_meanwhile_putsTheDigestOff() {
    world.now = START.plusSeconds(2);
    said(2, "three");
    world.now = START.plusSeconds(4);
    assertThat(world.digests.run()).isEqualTo(new OpenDigests.Result(0, 1));
  }

  @Test
  void clockThatIsSetBack_putsNoDigestOff() {
    world.now = START.minusSeconds(3600);
    assertThat(world.digests.run()).isEqualTo(new OpenDigests.Result(1, 0));
  }

  @Test
  void nextRest_isThatOfTheSegmentThatRestsFirst() {
    assertThat(world.digests.nextRest()).contains(START.plus(REST));
    world.digests.runAll();
    assertThat(world.digests.nextRest()).isEmpty();
  }

  @Test
  void versionThatAPersonChose_isNotReplacedByADigestThatWaits() {
    var history = new NodeHistory(world.writer, _ -> {});
    history.revert(node, 1);
    assertThat(world.digests.runAll()).isEqualTo(new OpenDigests.Result(0, 0));
    assertThat(texts(stored())).containsExactly("one");
  }

  @Test
  void run_onRequest_doesNotWait() {
    assertThat(world.digests.runAll()).isEqualTo(new OpenDigests.Result(1, 0));
    assertThat(texts(stored())).containsExactly("one", "two");
  }

  @Test
  void digest_thatWaitedBeforeAStart_isStoredAtOnce() {
    TocWorld restarted = new TocWorld(world.store, START, CONFIG);
    assertThat(restarted.digests.run()).isEqualTo(new OpenDigests.Result(1, 0));
    assertThat(texts(stored())).containsExactly("one", "two");
  }

  @Test
  void segmentThatCloses_hasItsDigestInTheSameCommit() {
    world.ingest(event(2, EventType.SESSION_END, ""));
    world.project(10);
    assertThat(texts(stored())).containsExactly("one", "two");
    assertThat(world.store.toc().isDirty(node)).isFalse();
  }

  @Test
  void segmentThatIsClosedBySilence_hasItsDigest() {
    world.now = START.plusSeconds(1).plus(CONFIG.timeThreshold());
    assertThat(world.flush.run()).isEqualTo(1);
    assertThat(world.segments("s").getFirst().boundary()).isEqualTo(Boundary.GAP);
    assertThat(texts(stored())).containsExactly("one", "two");
    assertThat(stored().edition().provisional()).isFalse();
    assertThat(world.store.toc().isDirty(node)).isFalse();
  }

  /// All that is new of it is that it is closed, and its words are not made of that.
  @Test
  void segmentThatIsCutByTheNextEvent_hasItsDigest() {
    said(3600, "later");
    assertThat(texts(stored())).containsExactly("one", "two");
    assertThat(stored().edition().provisional()).isFalse();
  }

  @Test
  void read_thatComesEarlier_composesTheDigestAndStoresNothing() {
    TocNode read = current.node(node).orElseThrow();
    assertThat(texts(read)).containsExactly("one", "two");
    assertThat(read.edition()).isEqualTo(stored().edition());
    assertThat(read.span().end()).isEqualTo(START.plusSeconds(1));
    assertThat(current.nodes(List.of(node))).containsExactly(read);
    assertThat(texts(stored())).containsExactly("one");

    GripId second = read.bullets().getLast().grips().getFirst();
    assertThat(world.store.grips().grip(second)).isEmpty();
    assertThat(current.grip(second).orElseThrow().excerpt()).isEqualTo("two");
    assertThat(current.gripsOf(node)).contains(second);

    world.now = START.plus(REST);
    world.digests.run();
    assertThat(texts(current.node(node).orElseThrow())).isEqualTo(texts(read));
    assertThat(world.store.grips().grip(second)).isPresent();
  }

  private TocNode stored() {
    return world.store.toc().node(node).orElseThrow();
  }

  private static List<String> texts(TocNode node) {
    return node.bullets().stream().map(Bullet::text).toList();
  }

  private void said(long second, String text) {
    world.ingest(event(second, EventType.USER_MESSAGE, text));
    world.project(10);
  }

  private static Event event(long second, EventType type, String text) {
    return TocWorld.event("s", START.plusSeconds(second), (int) second, type, text);
  }
}
