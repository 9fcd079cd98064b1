package dev.agentmemory.search.internal.rank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.agentmemory.api.search.HitKind;
import dev.agentmemory.api.search.Parts;
import dev.agentmemory.api.search.Said;
import dev.agentmemory.testkit.Seeds;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OrderedRelevanceTest {

  @Test
  void relevanceThatFallsWithTheOrder_isKept() {
    List<Found> ranked = found(0.9, 0.5, 0.5, 0.1);
    assertThat(OrderedRelevance.of(ranked)).isEqualTo(ranked);
    assertThat(OrderedRelevance.of(List.of())).isEmpty();
  }

  @Test
  void hitBehindALessRelevantOne_sharesTheMeanWithIt() {
    assertThat(relevances(OrderedRelevance.of(found(0.5, 0.75, 0.25))))
        .containsExactly(0.625, 0.625, 0.25);
    assertThat(relevances(OrderedRelevance.of(found(0.25, 0.5, 0.75)))).containsOnly(0.5);
  }

  @Seeds(100)
  void anyRelevances_neverRiseWithTheOrder_andHaveTheSameSum(RandomGenerator random) {
    List<Found> ranked = found(random.doubles(1 + random.nextInt(60), 0, 1).toArray());
    List<Found> ordered = OrderedRelevance.of(ranked);
    assertThat(uids(ordered)).isEqualTo(uids(ranked));
    assertThat(relevances(ordered)).isSortedAccordingTo(Comparator.reverseOrder());
    assertThat(sum(ordered)).isCloseTo(sum(ranked), within(1e-9));
  }

  private static List<Found> found(double... relevances) {
    return IntStream.range(0, relevances.length)
        .mapToObj(i ->
            new Found(
                "event-" + i,
                HitKind.EVENT,
                i,
                -i,
                relevances[i],
                new Parts(OptionalInt.empty(), OptionalInt.empty(), 0, 0, 0, 1, Map.of()),
                Said.once(Instant.EPOCH),
                /* complete= */ false,
                Optional.empty()))
        .toList();
  }

  private static List<String> uids(List<Found> all) {
    return all.stream().map(Found::uid).toList();
  }

  private static List<Double> relevances(List<Found> all) {
    return all.stream().map(Found::relevance).toList();
  }

  private static double sum(List<Found> all) {
    return all.stream().flatMapToDouble(one -> DoubleStream.of(one.relevance())).sum();
  }
}
