package dev.agentmemory.search.internal.rank;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.search.Said;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.text.StatementIdentity;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// In which order evidence is handed out, and what is not handed out at all.
class DiversityTest {

  private static Evidence evidence(
      String speaker, String text, int second, double score, float... vector) {
    Instant time = TestEvents.START.plusSeconds(second);
    return new Evidence(
        time,
        Optional.empty(),
        Optional.empty(),
        speaker,
        text,
        List.of(),
        score,
        new Likeness(Optional.of(vector), Set.of(), StatementIdentity.of(text)),
        Said.once(time));
  }

  /// The texts in the order in which they are handed out when each one is kept.
  private static List<String> order(Evidence... found) {
    Diversity diversity = new Diversity(List.of(found));
    List<String> order = new ArrayList<>();
    Optional<Evidence> next = diversity.next();
    while (next.isPresent()) {
      order.add(next.get().text());
      diversity.keep(next.get());
      next = diversity.next();
    }
    return order;
  }

  @Test
  void keep_sameStatementOfTheSameSpeaker_isHandedOutOnce() {
    assertThat(
            order(
                evidence("user", "the build is red", 0, 9, 1, 0),
                evidence("user", "The build is red!", 0, 8, 1, 0),
                evidence("assistant", "the build is red.", 0, 7, 1, 0),
                evidence("user", "the build is green", 0, 6, 1, 0)))
        .containsExactly("the build is red", "the build is red.", "the build is green");
  }

  @Test
  void next_ofEqualOnes_isTheOneFoundFirst() {
    assertThat(order(evidence("user", "a", 0, 5, 1, 0), evidence("user", "b", 0, 5, 0, 1)))
        .containsExactly("a", "b");
  }

  @Test
  void next_ofEquallyRelevantOnes_isTheOneThatAddsSomething() {
    assertThat(
            order(
                evidence("user", "a", 0, 5, 1, 0),
                evidence("user", "b", 0, 5, 1, 0),
                evidence("user", "c", 0, 5, 0, 1)))
        .containsExactly("a", "c", "b");
  }

  /// How relevant a hit is goes by the distance between the first and the last, not by its score.
  @Test
  void next_answersThatAreNearTheLast_areWeighedBetweenFirstAndLast() {
    assertThat(
            order(
                evidence("user", "a", 0, 10, 1, 0),
                evidence("user", "b", 0, 9, 0.75f, 0.66f),
                evidence("user", "c", 0, 8, 0, 1)))
        .containsExactly("a", "b", "c");
  }

  @Test
  void next_newerLookAlikeThatAnswersAsWell_comesFirst() {
    assertThat(order(evidence("user", "old", 0, 10, 1, 0), evidence("user", "new", 9, 10, 1, 0)))
        .containsExactly("new", "old");
  }

  @Test
  void next_whatWasNotKept_isNotHandedOutAgain() {
    var diversity =
        new Diversity(
            List.of(evidence("user", "a", 0, 10, 1, 0), evidence("user", "b", 0, 9, 0, 1)));
    assertThat(diversity.next().orElseThrow().text()).isEqualTo("a");
    assertThat(diversity.next().orElseThrow().text()).isEqualTo("b");
    assertThat(diversity.next()).isEmpty();
  }

  /// c is like a, which was kept before b: that it is unlike b makes it no better.
  @Test
  void keep_likenessIsThatToTheNearestKept_notTheLast() {
    assertThat(
            order(
                evidence("user", "a", 0, 10, 1, 0, 0),
                evidence("user", "b", 0, 9.9, 0, 1, 0),
                evidence("user", "c", 0, 6, 1, 0, 0),
                evidence("user", "d", 0, 4, 0, 0, 1),
                evidence("user", "e", 0, 0, 0, 0, 1)))
        .containsExactly("a", "b", "d", "c", "e");
  }

  @Test
  void next_newerLookAlikeThatAnswersLess_doesNotComeFirst() {
    assertThat(order(evidence("user", "old", 0, 10, 1, 0), evidence("user", "new", 9, 9, 1, 0)))
        .containsExactly("old", "new");
  }

  @Test
  void next_newerThatIsNoLookAlike_doesNotComeFirst() {
    assertThat(
            order(
                evidence("user", "old", 0, 10, 1, 0), evidence("user", "new", 9, 10, 0.79f, 0.61f)))
        .containsExactly("old", "new");
  }
}
