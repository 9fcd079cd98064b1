package dev.agentmemory.bench.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

final class MeasuredTest {

  @Test
  void median_oddCount_isTheMiddleOfTheSortedValues() {
    assertThat(new Measured(List.of(9.0, 1.0, 5.0)).median()).isEqualTo(5);
  }

  @Test
  void median_evenCount_isTheMeanOfTheTwoInTheMiddle() {
    assertThat(new Measured(List.of(9.0, 1.0, 5.0, 2.0)).median()).isEqualTo(3.5);
  }

  @Test
  void over_slowRoundOnBothSides_leavesTheRatioAlone() {
    var one = new Measured(List.of(100.0, 10.0, 100.0));
    var other = new Measured(List.of(50.0, 5.0, 50.0));

    assertThat(one.over(other).values()).containsExactly(2.0, 2.0, 2.0);
  }

  @Test
  void over_otherNumberOfRounds_isRefused() {
    var one = new Measured(List.of(1.0, 2.0));

    assertThatThrownBy(() -> one.over(new Measured(List.of(1.0))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2 repetitions against 1");
  }

  @Test
  void measured_nothing_isRefused() {
    assertThatThrownBy(() -> new Measured(List.of())).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void percentile_isTheValueThatTheShareDoesNotExceed() {
    var measured = new Measured(List.of(40.0, 10.0, 30.0, 20.0));

    assertThat(measured.percentile(0.25)).isEqualTo(10);
    assertThat(measured.percentile(0.26)).isEqualTo(20);
    assertThat(measured.percentile(0.99)).isEqualTo(40);
    assertThat(measured.percentile(1)).isEqualTo(40);
  }

  @Test
  void all_ofSeveral_holdsEveryValue() {
    assertThat(Measured.all(List.of(new Measured(List.of(1.0)), new Measured(List.of(3.0, 2.0)))))
        .isEqualTo(new Measured(List.of(1.0, 3.0, 2.0)));
  }
}
