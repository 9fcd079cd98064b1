package dev.agentmemory.bench.toc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.agentmemory.bench.toc.SummaryScore.Rested;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SummaryScoreTest {

  private static final Offset<Double> NEAR = within(1e-9);

  private static final Reference REFERENCE =
      new Reference(
          "s",
          "Ana moved to Oslo and Ana's dog likes it",
          List.of(Set.of("1", "2"), Set.of("4"), Set.of("7")));

  @Test
  void of_someTurnsMet_countsTurnsOfBothSides() {
    var score =
        SummaryScore.of(
            REFERENCE,
            10,
            List.of(new Rested("a", "1"), new Rested("b", "4"), new Rested("c", "5")));

    assertThat(score.coverage()).isEqualTo(2.0 / 4, NEAR);
    assertThat(score.precision()).isEqualTo(2.0 / 3, NEAR);
    assertThat(score.f1()).isEqualTo(4.0 / 7, NEAR);
    assertThat(score.observed()).isEqualTo(2.0 / 3, NEAR);
    assertThat(score.gripped()).isEqualTo(0.3, NEAR);
  }

  @Test
  void of_twoBulletsOfOneTurn_countsTheTurnOnce() {
    var score = SummaryScore.of(REFERENCE, 10, List.of(new Rested("a", "1"), new Rested("b", "1")));

    assertThat(score.precision()).isEqualTo(1, NEAR);
    assertThat(score.coverage()).isEqualTo(0.25, NEAR);
  }

  @Test
  void of_noBullets_isZeroThroughout() {
    assertThat(SummaryScore.of(REFERENCE, 10, List.of()))
        .isEqualTo(new SummaryScore(0, 0, 0, 0, 0, 0, 0, 0));
  }

  @Test
  void of_wordsInAnotherOrder_differsInOrderOnly() {
    // Nine words: ana moved to oslo and ana dog likes it.
    var score =
        SummaryScore.of(REFERENCE, 10, List.of(new Rested("Oslo: moved! Moved, ANA'S", "9")));

    assertThat(score.rouge1()).isEqualTo(3.0 / 9, NEAR);
    assertThat(score.rougeL()).isEqualTo(2.0 / 9, NEAR);
    assertThat(score.rouge1F1()).isEqualTo(2 * (3.0 / 9) * (3.0 / 4) / (3.0 / 9 + 3.0 / 4), NEAR);
  }

  @Test
  void of_longBullets_comparesTheFirstWordsOnly() {
    String filler = "word ".repeat(SummaryScore.WORDS);

    assertThat(SummaryScore.of(REFERENCE, 10, List.of(new Rested(filler + "Oslo", "9"))).rouge1())
        .isZero();
  }

  @Test
  void mean_twoSessions_countsEachOnce() {
    var all = new SummaryScore(1, 1, 1, 1, 1, 1, 1, 1);
    var none = new SummaryScore(0, 0, 0, 0, 0, 0, 0, 0);

    assertThat(SummaryScore.mean(List.of(all, none)).coverage()).isEqualTo(0.5, NEAR);
  }

  @Test
  void read_observationsWithoutEvidence_areLeftOut(@TempDir Path folder) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("summaries.jsonl"),
            """
            {"session_id": "a", "summary": "x", "observations": [{"evidence": ["1"]}, {"evidence": []}]}
            {"session_id": "b", "summary": null, "observations": [{"evidence": []}]}
            """);

    assertThat(Reference.read(file)).containsExactly(new Reference("a", "x", List.of(Set.of("1"))));
  }
}
