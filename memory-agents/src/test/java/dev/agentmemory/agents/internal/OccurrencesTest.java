package dev.agentmemory.agents.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class OccurrencesTest {

  @Test
  void isFirst_ofMoreThanAreKept_forgetsTheOneThatWasNotMetForLongest() {
    var seen = new Occurrences(List.of());
    for (int i = 0; i < Occurrences.MOST; i++) {
      assertThat(seen.isFirst("turn", Integer.toString(i))).isTrue();
    }
    assertThat(seen.isFirst("turn", "0")).isFalse();
    assertThat(seen.isFirst("one more")).isTrue();

    var later = new Occurrences(seen.known());
    assertThat(later.known()).isEqualTo(seen.known()).hasSize(Occurrences.MOST);
    assertThat(later.isFirst("turn", "0")).isFalse();
    assertThat(later.isFirst("turn", "1")).isTrue();
  }
}
