package dev.agentmemory.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.agentmemory.bench.result.Check;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

final class PairedRatioTest {

  private static final Offset<Double> NEAR = within(1e-9);

  @Test
  void of_costs_dividesFormerByNowPairByPair() {
    var ratio = PairedRatio.of(List.of(2.0, 9.0, 4.0), List.of(4.0, 3.0, 4.0));

    assertThat(ratio.ratios()).containsExactly(0.5, 3.0, 1.0);
    assertThat(ratio.median()).isEqualTo(1.0, NEAR);
  }

  @Test
  void lowerEnd_equalRatios_isThatRatio() {
    assertThat(new PairedRatio(Collections.nCopies(15, 0.93)).lowerEnd()).isEqualTo(0.93, NEAR);
  }

  @Test
  void ends_threePairs_areThoseOfStudentsInterval() {
    // Logarithms -0.1, 0, 0.1: mean 0, standard deviation 0.1, t with 2 degrees of freedom.
    var ratio = new PairedRatio(List.of(Math.exp(-0.1), 1.0, Math.exp(0.1)));

    assertThat(ratio.lowerEnd()).isEqualTo(Math.exp(-4.303 * 0.1 / Math.sqrt(3)), NEAR);
    assertThat(ratio.upperEnd()).isEqualTo(Math.exp(4.303 * 0.1 / Math.sqrt(3)), NEAR);
  }

  @Test
  void lowerEnd_manySeries_isBelowTheTruthInAboutNinetySevenOfAHundred() {
    var random = new SplittableRandom(5);
    int below = 0;
    for (int series = 0; series < 2_000; series++) {
      List<Double> ratios = new ArrayList<>();
      for (int pair = 0; pair < 15; pair++) {
        ratios.add(Math.exp(0.2 * random.nextGaussian()));
      }
      below += new PairedRatio(ratios).lowerEnd() < 1 ? 1 : 0;
    }

    assertThat(below / 2_000.0).isEqualTo(0.975, within(0.012));
  }

  @Test
  void lowerEnd_onePair_meetsNoBar() {
    double end = new PairedRatio(List.of(5.0)).lowerEnd();

    assertThat(Check.atLeast(0.9, "x", end, "ratio").holds()).isFalse();
  }

  @Test
  void of_costOfNothing_isRefused() {
    assertThatThrownBy(() -> PairedRatio.of(List.of(1.0), List.of(0.0)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> PairedRatio.of(List.of(0.0), List.of(1.0)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
