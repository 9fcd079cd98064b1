package dev.agentmemory.recall.internal.rank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.MemoryId;
import java.util.List;
import org.junit.jupiter.api.Test;

class RankFusionTest {

  private static final MemoryId A = new MemoryId(TestEvents.id(TestEvents.START, 1));
  private static final MemoryId B = new MemoryId(TestEvents.id(TestEvents.START, 2));
  private static final MemoryId C = new MemoryId(TestEvents.id(TestEvents.START, 3));

  @Test
  void match_firstOfAllLists_isOne_andTheRestIsItsShare() {
    var fusion = new RankFusion(60);
    fusion.add(List.of(A, B));
    fusion.add(List.of(A, C));

    assertThat(fusion.match(A, 2)).isEqualTo(1, within(1e-9));
    assertThat(fusion.match(B, 2)).isEqualTo(61.0 / 62 / 2, within(1e-9));
    assertThat(fusion.ids()).containsExactlyInAnyOrder(A, B, C);
  }

  @Test
  void match_ofWhatOneListCanHold_isMeasuredAgainstThatOne() {
    var fusion = new RankFusion(60);
    fusion.add(List.of(A));
    fusion.add(List.of(B));

    assertThat(fusion.match(A, 1)).isEqualTo(1, within(1e-9));
    assertThat(fusion.match(A, 2)).isEqualTo(0.5, within(1e-9));
    assertThat(fusion.match(C, 1)).isZero();
  }
}
