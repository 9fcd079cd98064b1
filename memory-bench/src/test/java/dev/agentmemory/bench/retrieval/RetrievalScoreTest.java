package dev.agentmemory.bench.retrieval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Set;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class RetrievalScoreTest {

  private static final Offset<Double> NEAR = within(1e-9);

  @Test
  void of_oneOfTwoFoundThird_countsShareRankAndGain() {
    RetrievalScore score = score(Set.of("a:1", "b:7"), "c:1", "a:2", "a:1", "d:1");

    assertThat(score.figure("recall@1")).isZero();
    assertThat(score.figure("recall@5")).isEqualTo(0.5, NEAR);
    assertThat(score.figure("hit@5")).isEqualTo(1, NEAR);
    assertThat(score.figure("all@20")).isZero();
    assertThat(score.figure("mrr")).isEqualTo(1.0 / 3, NEAR);
    // 1 / log2(4) of the best that two can gain: 1 + 1 / log2(3).
    assertThat(score.figure("ndcg@10")).isEqualTo(0.5 / 1.6309297535714573, NEAR);
  }

  @Test
  void of_sessions_countsDistinctOnes() {
    RetrievalScore score = score(Set.of("a:1", "b:7"), "c:1", "c:2", "c:3", "a:2", "b:1");

    assertThat(score.figure("sess@1")).isZero();
    assertThat(score.figure("sess@3")).isEqualTo(1, NEAR);
  }

  @Test
  void of_sameKeyTwice_takesOnePlace() {
    assertThat(score(Set.of("b:7"), "a:1", "a:1", "b:7").figure("mrr")).isEqualTo(0.5, NEAR);
  }

  @Test
  void of_nothingRanked_isZeroThroughout() {
    assertThat(score(Set.of("a:1")).figures().values()).allMatch(value -> value == 0);
  }

  @Test
  void mean_twoQuestions_isBetween() {
    RetrievalScore mean =
        RetrievalScore.mean(List.of(score(Set.of("a:1"), "a:1"), score(Set.of("a:1"), "b:1")));

    assertThat(mean.figure("recall@10")).isEqualTo(0.5, NEAR);
    assertThat(mean.figure("mrr")).isEqualTo(0.5, NEAR);
  }

  private static RetrievalScore score(Set<String> evidence, String... ranked) {
    return RetrievalScore.of(
        evidence, List.of(ranked), key -> key.substring(0, key.lastIndexOf(':')));
  }
}
