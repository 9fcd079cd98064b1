package dev.agentmemory.search.internal.rank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.agentmemory.text.StatementIdentity;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LikenessTest {

  private static final Likeness WORDLESS = likeness("", List.of());

  private static Likeness likeness(String text, List<String> terms, float... vector) {
    return new Likeness(
        vector.length == 0 ? Optional.empty() : Optional.of(vector),
        Set.copyOf(terms),
        StatementIdentity.of(text));
  }

  @Test
  void to_bothWithVectors_isTheirCosine() {
    Likeness one = likeness("a b", List.of("a", "b"), 1, 0);
    Likeness other = likeness("a b", List.of("a", "b"), 0.6f, 0.8f);
    assertThat(one.to(other)).isCloseTo(0.6, within(1e-6));
  }

  @Test
  void to_oneWithoutAVector_isTheShareOfTermsThatBothHave() {
    Likeness one = likeness("a b", List.of("a", "b"), 1, 0);
    Likeness other = likeness("b c d", List.of("b", "c", "d"));
    assertThat(one.to(other)).isEqualTo(0.25);
    assertThat(other.to(one)).isEqualTo(0.25);
    assertThat(WORDLESS.to(WORDLESS)).isZero();
  }

  @Test
  void isSame_onlyOfEqualStatements() {
    assertThat(likeness("The build", List.of()).isSame(likeness("the build!", List.of()))).isTrue();
    assertThat(likeness("the build", List.of()).isSame(likeness("a build", List.of()))).isFalse();
    assertThat(likeness("the build", List.of()).isSame(WORDLESS)).isFalse();
    assertThat(WORDLESS.isSame(WORDLESS)).as("texts without words state nothing").isFalse();
  }
}
