package dev.agentmemory.recall.internal.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class Utf8Test {

  @Test
  void length_isThatOfTheEncodedText() {
    for (String text :
        List.of("", "a", "\u007f", "\u0080", "\u07ff", "\u0800", "\uffff", "a😀é€")) {
      assertThat(Utf8.length(text)).isEqualTo(text.getBytes(StandardCharsets.UTF_8).length);
    }
  }

  @Test
  void isBroken_halfAPair_is() {
    assertThat(List.of("\ud83d", "a\ude00", "\ude00\ud83d")).allMatch(Utf8::isBroken);
    assertThat(List.of("", "a", "😀")).noneMatch(Utf8::isBroken);
  }
}
