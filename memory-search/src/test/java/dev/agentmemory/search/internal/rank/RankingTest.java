package dev.agentmemory.search.internal.rank;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RankingTest {

  private static CandidateTurn turn(int doc, double words, double meaning) {
    CandidateTurn turn = new CandidateTurn(doc, doc, 0);
    turn.set(Feature.TURN, words);
    turn.set(Feature.MEANING, meaning);
    return turn;
  }

  private static List<Integer> ranked(CandidateTurn... turns) {
    List<CandidateTurn> all = new ArrayList<>(List.of(turns));
    Ranking.rank(all);
    return all.stream().map(turn -> turn.doc).toList();
  }

  @Test
  void rank_goesByHowFarAboveTheOthers_notByScale() {
    assertThat(ranked(turn(1, 0, 0.60), turn(2, 9, 0.61), turn(3, 1, 0.70))).startsWith(3);
    assertThat(ranked(turn(1, 0, 60), turn(2, 9, 61), turn(3, 1, 70))).startsWith(3);
  }

  @Test
  void rank_unknownMeaning_isTheLeast() {
    assertThat(ranked(turn(1, 1, Double.NaN), turn(2, 1, 0.5), turn(3, 1, 0.4)))
        .containsExactly(2, 3, 1);
  }

  @Test
  void rank_nothingKnown_newestFirst() {
    assertThat(ranked(turn(1, 1, Double.NaN), turn(2, 1, Double.NaN))).containsExactly(2, 1);
  }

  private static CandidateTurn with(int doc, Feature feature) {
    CandidateTurn turn = turn(doc, 1, 0.5);
    turn.set(feature, 1);
    return turn;
  }

  @Test
  void rank_turnThatAsks_comesLater() {
    assertThat(ranked(with(2, Feature.QUESTION), turn(1, 1, 0.5))).containsExactly(1, 2);
  }

  @Test
  void rank_echoOfTheQuestion_comesBehindLessNearStatements() {
    CandidateTurn echo = with(3, Feature.ECHO);
    echo.set(Feature.MEANING, 0.9);
    assertThat(ranked(echo, turn(1, 1, 0.5), turn(2, 0.5, 0.5))).endsWith(3);
  }

  @Test
  void rank_whatSpeaksForATurn_bringsItForward() {
    for (Feature feature :
        List.of(
            Feature.SPEAKER,
            Feature.PERSON,
            Feature.EXACT,
            Feature.COVER,
            Feature.TIME,
            Feature.PHRASE)) {
      assertThat(ranked(turn(2, 1, 0.5), with(1, feature)))
          .as(feature.name())
          .containsExactly(1, 2);
    }
  }

  @Test
  void explained_addsUpToTheScore() {
    List<CandidateTurn> all = new ArrayList<>(List.of(turn(1, 1, 0.1), turn(2, 3, 0.4)));
    Ranking.rank(all);
    double sum =
        Ranking.explained(all.getFirst()).values().stream().mapToDouble(part -> part).sum();
    assertThat(sum).isEqualTo(all.getFirst().score);
  }

  @Test
  void fuseRanks_prefersWhatBothFound() {
    CandidateTurn both = turn(1, 0, 0);
    both.lexicalRank = 9;
    both.semanticRank = 9;
    CandidateTurn one = turn(2, 0, 0);
    one.lexicalRank = 1;
    List<CandidateTurn> all = new ArrayList<>(List.of(one, both));
    Ranking.fuseRanks(all);
    assertThat(all.getFirst()).isSameAs(both);
    assertThat(both.score).isEqualTo(2.0 / (Ranking.RRF + 9));
    assertThat(Ranking.explained(both).values())
        .containsExactly(1.0 / (Ranking.RRF + 9), 1.0 / (Ranking.RRF + 9));
  }

  @Test
  void fuseRanks_leavesOutWhatNeitherFound() {
    List<CandidateTurn> all = new ArrayList<>(List.of(turn(1, 5, 5)));
    Ranking.fuseRanks(all);
    assertThat(all).isEmpty();
  }
}
