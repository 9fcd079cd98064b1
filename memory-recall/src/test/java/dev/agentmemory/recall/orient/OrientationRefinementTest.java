package dev.agentmemory.recall.orient;

import static dev.agentmemory.recall.orient.OrientWorld.draft;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.upkeep.OrientationDocument;
import dev.agentmemory.recall.orient.OrientationRefiner.Draft;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What a refiner can do with the selection.
class OrientationRefinementTest {

  private final OrientWorld world = new OrientWorld();
  private final List<Draft> drafts = new ArrayList<>();
  private OrientationDocument plain = world.orient("", 100);

  @BeforeEach
  void remember() {
    world.pinned("The release is on Friday.");
    for (int i = 0; i < 40; i++) {
      world.remember(draft("The login fails in case " + i + "."));
    }
    plain = world.orient("login", 300);
  }

  private OrientationDocument refined(Optional<List<Integer>> answer) {
    world.refiner =
        draft -> {
          drafts.add(draft);
          return answer;
        };
    return world.orient("login", 300);
  }

  @Test
  void noAnswer_givesThePlainDocument() {
    assertThat(refined(Optional.empty())).isEqualTo(plain);
    assertThat(plain.refined()).isFalse();
    assertThat(drafts.getFirst().markdown()).isEqualTo(plain.markdown());
    assertThat(drafts.getFirst().query()).isEqualTo("login");
  }

  @Test
  void lines_areThoseOfTheDocument_thenOthers_withoutPins() {
    var _ = refined(Optional.empty());
    List<String> lines = drafts.getFirst().lines();
    assertThat(lines).hasSize(40).noneMatch(line -> line.contains("Friday"));
    assertThat(plain.markdown()).contains(lines.getFirst()).doesNotContain(lines.getLast());
  }

  @Test
  void answer_selectsAndOrders() {
    OrientationDocument document = refined(Optional.of(List.of(39, 2)));
    List<String> lines = drafts.getFirst().lines();
    assertThat(document.refined()).isTrue();
    assertThat(document.markdown()).contains("The release is on Friday.");
    assertThat(document.markdown().lines().filter(line -> line.contains("login")))
        .satisfiesExactly(
            first -> assertThat(first).contains(lines.get(39)),
            second -> assertThat(second).contains(lines.get(2)));
    assertThat(document.tokens()).isLessThanOrEqualTo(300);
  }

  @Test
  void indexes_outOfRangeOrRepeated_areIgnored() {
    assertThat(refined(Optional.of(List.of(-1, 2, 2, 40, 1_000_000))).markdown())
        .isEqualTo(refined(Optional.of(List.of(2))).markdown());
  }

  @Test
  void answer_withoutAnyLine_givesThePlainDocument() {
    assertThat(refined(Optional.of(List.of()))).isEqualTo(plain);
    assertThat(refined(Optional.of(List.of(4711)))).isEqualTo(plain);
  }

  @Test
  void answer_withMoreThanFits_staysWithinTheBudget() {
    List<Integer> all = new ArrayList<>();
    for (int i = 39; i >= 0; i--) {
      all.add(i);
    }
    OrientationDocument document = refined(Optional.of(all));
    assertThat(document.refined()).isTrue();
    assertThat(document.tokens()).isBetween(255, 300);
  }

  @Test
  void statement_bringsTheSegmentThatItBelongsTo() {
    var _ = world.worked("s9", "Moving", "The export takes 2 h.");
    world.refiner =
        draft -> {
          drafts.add(draft);
          return Optional.of(List.of(draft.lines().indexOf("The export takes 2 h.")));
        };
    assertThat(world.orient("login", 1000).markdown())
        .containsPattern("(?m)^- 2026-01-02: Moving \\[.*\\]\n  - The export takes 2 h\\. \\[");
  }
}
