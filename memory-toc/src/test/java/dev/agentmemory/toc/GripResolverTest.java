package dev.agentmemory.toc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.toc.summary.Point;
import dev.agentmemory.types.Bullet;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.Grip;
import dev.agentmemory.types.NodeId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// That a point is kept only where an event of its range holds its excerpt word for word, whoever
/// made the point: a summariser's own check is none that this may rely on.
class GripResolverTest {

  private static final NodeId NODE = NodeId.parse("toc:day:2026-01-30").orElseThrow();
  private static final List<Event> EVENTS =
      List.of(
          TestEvents.message("s", TestEvents.START, "Which retry policy do we use?"),
          TestEvents.answer("s", TestEvents.START.plusSeconds(1), "Backoff with full jitter."),
          TestEvents.answer("s", TestEvents.START.plusSeconds(2), "Four attempts, full jitter."));

  private static GripResolver.Resolved anchor(Point... points) {
    return GripResolver.resolve(NODE, EVENTS, List.of(points));
  }

  private static Point point(String excerpt, int first, int last) {
    return new Point("We decided on full jitter.", excerpt, first, last, 0.5);
  }

  @Test
  void point_withWordsOfAnEvent_getsAGripOnThatEventAlone() {
    GripResolver.Resolved resolved = anchor(point("Four attempts", 0, 2));

    Grip grip = resolved.grips().getFirst();
    assertThat(grip.excerpt()).isEqualTo("Four attempts");
    assertThat(grip.first()).isEqualTo(EVENTS.get(2).id());
    assertThat(grip.last()).isEqualTo(EVENTS.get(2).id());
    assertThat(grip.node()).isEqualTo(NODE);
    assertThat(resolved.bullets())
        .containsExactly(new Bullet("We decided on full jitter.", List.of(grip.id()), 0.5));
    assertThat(resolved.unsupported()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "no retries at all",
        "full  jitter",
        "Full jitter",
        "full jitter.Four attempts",
        "Backoff with full jitter!",
        " ",
        "",
      })
  void point_withWordsOfNoEvent_isLeftOutAndCounted(String excerpt) {
    assertThat(anchor(point(excerpt, 0, 2)))
        .isEqualTo(new GripResolver.Resolved(List.of(), List.of(), 1));
  }

  @Test
  void point_withWordsOfAnEventOutsideItsRange_isLeftOut() {
    assertThat(anchor(point("retry policy", 1, 2)).unsupported()).isEqualTo(1);
    assertThat(anchor(point("Four attempts", 0, 1)).unsupported()).isEqualTo(1);
  }

  @Test
  void point_whoseRangeEndsBehindTheEvents_isLeftOut() {
    assertThat(anchor(point("full jitter", 0, 3)).unsupported()).isEqualTo(1);
  }

  @Test
  void point_thatSaysNothing_isLeftOut() {
    var blank = new Point(" ", "full jitter", 0, 2, 0.5);
    assertThat(anchor(blank).unsupported()).isEqualTo(1);
  }

  @Test
  void points_someWithoutEvidence_keepTheOthersInOrder() {
    GripResolver.Resolved resolved =
        anchor(point("retry", 0, 2), point("invented", 0, 2), point("Backoff", 0, 2));
    assertThat(resolved.grips()).extracting(Grip::excerpt).containsExactly("retry", "Backoff");
    assertThat(resolved.unsupported()).isEqualTo(1);
  }

  @Test
  void anchor_again_givesTheSameGrips() {
    assertThat(anchor(point("full jitter", 0, 2))).isEqualTo(anchor(point("full jitter", 0, 2)));
  }

  /// Stores hold these ids; a rebuild must find them again.
  @Test
  void ids_areThoseOfEarlierVersions() {
    assertThat(anchor(point("full jitter", 0, 2)).grips())
        .extracting(grip -> grip.id().value())
        .containsExactly("grip:1769783401000:01KG7MZ6H871QPHS7SWDD8KZCX");
  }
}
