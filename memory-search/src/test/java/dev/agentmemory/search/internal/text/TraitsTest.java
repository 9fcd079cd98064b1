package dev.agentmemory.search.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.types.EventRole;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraitsTest {

  private static boolean asks(String text) {
    return Traits.of(false, EventRole.USER, text).question();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "why?",
        "why?!",
        "¿por qué?",
        "为什么？",
        "لماذا؟",
        "look? [a photo]",
        "why?..",
        "[why?]"
      })
  void of_aTextThatEndsWithAQuestionMark_asks(String text) {
    assertThat(asks(text)).isTrue();
  }

  @Test
  void of_anyOtherText_doesNot() {
    assertThat(asks("why? because it is so")).isFalse();
    assertThat(asks("")).isFalse();
    assertThat(asks("why?...")).isFalse();
    assertThat(asks("as [they ask?] said")).isFalse();
  }

  @Test
  void packed_isReadBack() {
    for (EventRole role : EventRole.values()) {
      for (int bits = 0; bits < 4; bits++) {
        var traits = new Traits((bits & 1) == 1, bits > 1, role, 32_769 + bits);
        assertThat(Traits.of(traits.packed())).isEqualTo(traits);
      }
    }
    var longest = new Traits(true, true, EventRole.TOOL, Integer.MAX_VALUE);
    assertThat(Traits.of(longest.packed())).isEqualTo(longest);
  }
}
