package dev.agentmemory.search.internal.rank;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.search.SearchRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;

class FreshnessTest {

  private final Map<CandidateTurn, float[]> vectors = new HashMap<>();
  private List<String> terms = List.of("billing", "version");

  /// A turn of two of the question's words, as near to the question as the others.
  private CandidateTurn turn(int time, double score, float... vector) {
    CandidateTurn turn = new CandidateTurn(time, time, 2);
    turn.uid = new BytesRef("" + time);
    turn.counts[0] = 1;
    turn.counts[1] = 1;
    turn.cosine = 0.7;
    turn.cover = 0.8;
    turn.score = score;
    turn.length = 10;
    if (vector.length > 0) {
      vectors.put(turn, vector);
    }
    return turn;
  }

  private List<Long> times(CandidateTurn... ranked) {
    return Freshness.newerFirst(List.of(ranked), vectors, terms).stream()
        .map(turn -> turn.time)
        .toList();
  }

  @Test
  void newerLookAlike_comesFirst_withTheScoreOfTheOlder() {
    CandidateTurn old = turn(1, 9, 1, 0);
    CandidateTurn other = turn(2, 5, 0, 1);
    CandidateTurn newer = turn(3, 1, 1, 0);
    assertThat(times(old, other, newer)).containsExactly(3L, 1L, 2L);
    assertThat(newer.score).isEqualTo(9);
    assertThat(Ranking.explained(newer)).containsEntry("freshness", 8.0);
  }

  @Test
  void ofSeveral_onlyTheNewestIsMoved() {
    assertThat(times(turn(1, 9, 1, 0), turn(5, 6, 0, 1), turn(2, 4, 1, 0), turn(3, 3, 1, 0)))
        .containsExactly(3L, 1L, 5L, 2L);
  }

  @Test
  void olderLookAlike_staysBehind() {
    assertThat(times(turn(3, 9, 1, 0), turn(1, 5, 1, 0))).containsExactly(3L, 1L);
  }

  @Test
  void whatDoesNotLookAlike_staysWhereItIs() {
    assertThat(times(turn(1, 9, 1, 0), turn(3, 5, 0, 1))).containsExactly(1L, 3L);
    assertThat(times(turn(1, 9, 1, 0), turn(3, 5, 0.79f, 0.613f))).containsExactly(1L, 3L);
    assertThat(times(turn(1, 9, 1, 0), turn(3, 5, 0.81f, 0.586f))).containsExactly(3L, 1L);
  }

  @Test
  void lookAlikeThatAnswersLess_staysWhereItIs() {
    CandidateTurn fewerWords = turn(2, 5, 1, 0);
    fewerWords.counts[1] = 0;
    CandidateTurn farther = turn(3, 5, 1, 0);
    farther.cosine = 0.49;
    CandidateTurn asks = turn(4, 5, 1, 0);
    asks.set(Feature.QUESTION, 1);
    assertThat(times(turn(1, 9, 1, 0), fewerWords, farther, asks)).startsWith(1L);
    for (Feature feature :
        List.of(Feature.EXACT, Feature.SPEAKER, Feature.PERSON, Feature.TIME, Feature.PHRASE)) {
      CandidateTurn old = turn(1, 9, 1, 0);
      old.set(feature, 1);
      assertThat(times(old, turn(2, 5, 1, 0))).as(feature.name()).containsExactly(1L, 2L);
    }
  }

  @Test
  void olderThatIsNoAnswerItself_bringsNothingForward() {
    CandidateTurn answer = turn(0, 3, 0, 1);
    answer.cover = 1;
    assertThat(times(turn(1, 9, 1, 0), turn(2, 5, 1, 0), answer)).containsExactly(1L, 2L, 0L);
    answer.set(Feature.QUESTION, 1);
    assertThat(times(turn(1, 9, 1, 0), turn(2, 5, 1, 0), answer)).containsExactly(2L, 1L, 0L);
    CandidateTurn asked = turn(1, 9, 1, 0);
    asked.set(Feature.QUESTION, 1);
    assertThat(times(asked, turn(2, 5, 1, 0))).containsExactly(1L, 2L);
  }

  @Test
  void pairsOfCharacters_mayBeLacking_wordsMayNot() {
    terms = List.of("账单", "单服");
    CandidateTurn newer = turn(2, 5, 1, 0);
    newer.counts[1] = 0;
    newer.cover = 0.65;
    assertThat(times(turn(1, 9, 1, 0), newer)).containsExactly(2L, 1L);
    newer.cover = 0.6;
    assertThat(times(turn(1, 9, 1, 0), newer)).containsExactly(1L, 2L);
  }

  @Test
  void withoutVectors_wordsAndLengthTell() {
    CandidateTurn longer = turn(3, 5);
    longer.length = 16;
    assertThat(times(turn(1, 9), longer)).containsExactly(1L, 3L);
    longer.length = 15;
    assertThat(times(turn(1, 9), longer)).containsExactly(3L, 1L);
    longer.cover = 0.49;
    assertThat(times(turn(1, 9), longer)).containsExactly(1L, 3L);
  }

  @Test
  void bounds_areInclusive() {
    CandidateTurn answer = turn(0, 3, 0, 1);
    answer.cover = 1;
    CandidateTurn old = turn(1, 9, 1, 0);
    old.cover = 0.9;
    assertThat(times(old, turn(2, 5, 1, 0), answer)).as("cover").containsExactly(2L, 1L, 0L);
    CandidateTurn farther = turn(2, 5, 1, 0);
    farther.cosine = 0.7 - 0.2;
    assertThat(times(turn(1, 9, 1, 0), farther)).as("cosine").containsExactly(2L, 1L);
    terms = List.of("billing", "the");
    CandidateTurn lacks = turn(2, 5, 1, 0);
    lacks.counts[1] = 0;
    lacks.cover = 0.8 * 0.8;
    assertThat(times(turn(1, 9, 1, 0), lacks)).as("small term").containsExactly(2L, 1L);
    lacks.cosine = 0.7 - 0.1;
    assertThat(times(turn(1, 9, 1, 0), lacks)).as("cosine, lacking").containsExactly(2L, 1L);
    lacks.cosine = 0.59;
    assertThat(times(turn(1, 9, 1, 0), lacks)).as("farther, lacking").containsExactly(1L, 2L);
    vectors.clear();
    CandidateTurn half = turn(2, 5);
    half.cover = 0.5;
    CandidateTurn halfToo = turn(1, 9);
    halfToo.cover = 0.5;
    assertThat(times(halfToo, half)).as("without vectors").containsExactly(2L, 1L);
  }

  @Test
  void wordThatNeitherHolds_speaksAgainstNone() {
    CandidateTurn old = turn(1, 9, 1, 0);
    CandidateTurn newer = turn(2, 5, 1, 0);
    old.counts[1] = 0;
    newer.counts[1] = 0;
    assertThat(times(old, newer)).containsExactly(2L, 1L);
  }

  @Test
  void turnOfTheSameTime_isNotNewer() {
    CandidateTurn one = turn(1, 9, 1, 0);
    CandidateTurn other = turn(1, 5, 1, 0);
    assertThat(Freshness.newerFirst(List.of(one, other), vectors, terms))
        .containsExactly(one, other);
  }

  @Test
  void shortNumber_isNoSmallTerm() {
    terms = List.of("billing", "16");
    CandidateTurn newer = turn(2, 5, 1, 0);
    newer.counts[1] = 0;
    assertThat(times(turn(1, 9, 1, 0), newer)).containsExactly(1L, 2L);
    terms = List.of("billing", "four");
    assertThat(times(turn(1, 9, 1, 0), newer)).containsExactly(1L, 2L);
  }

  @Test
  void questionWithoutWords_isComparedByMeaningAlone() {
    terms = List.of();
    assertThat(times(wordless(1, 0.7), wordless(2, 0.695))).containsExactly(2L, 1L);
    assertThat(times(wordless(1, 0.7), wordless(2, 0.685))).containsExactly(1L, 2L);
    assertThat(times(wordless(1, 0.7), wordless(2, Double.NaN))).containsExactly(2L, 1L);
  }

  private CandidateTurn wordless(int time, double cosine) {
    CandidateTurn turn = new CandidateTurn(time, time, 0);
    turn.cosine = cosine;
    vectors.put(turn, new float[] {1, 0});
    return turn;
  }

  @Test
  void turnsBeyondTheReach_stayWhereTheyAre() {
    List<CandidateTurn> ranked = new ArrayList<>();
    for (int i = 0; i < SearchRequest.MAX_REACH; i++) {
      ranked.add(turn(i, 9, 0, 1));
      ranked.get(i).cover = 0;
    }
    ranked.set(0, turn(0, 9, 1, 0));
    ranked.add(turn(1000, 5, 1, 0));
    assertThat(Freshness.newerFirst(ranked, vectors, terms)).isEqualTo(ranked);
    Collections.swap(ranked, ranked.size() - 2, ranked.size() - 1);
    assertThat(Freshness.newerFirst(ranked, vectors, terms).getFirst().time).isEqualTo(1000);
  }
}
