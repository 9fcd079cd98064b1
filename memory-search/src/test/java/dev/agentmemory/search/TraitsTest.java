package dev.agentmemory.search;

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
  @ValueSource(strings = {"why?", "why?!", "¿por qué?", "为什么？", "لماذا؟", "look? [a photo]"})
  void of_aTextThatEndsWithAQuestionMark_asks(String text) {
    assertThat(asks(text)).isTrue();
  }

  @Test
  void of_anyOtherText_doesNot() {
    assertThat(asks("why? because it is so")).isFalse();
    assertThat(asks("")).isFalse();
  }
}
