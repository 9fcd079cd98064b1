package dev.agentmemory.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SentencesTest {

  @Test
  void split_severalSentences_givesEachWithoutSurroundingSpace() {
    assertThat(split("It failed.  Why? \"No idea!\" he said."))
        .containsExactly("It failed.", "Why?", "\"No idea!\"", "he said.");
  }

  @Test
  void split_stopInsideAWord_isNoBorder() {
    assertThat(split("Use v1.2.3 of server.go. Then run it."))
        .containsExactly("Use v1.2.3 of server.go.", "Then run it.");
  }

  @Test
  void split_abbreviation_isNoBorder() {
    assertThat(split("Ask Dr. Smith, e.g. Monday. Or J. Doe."))
        .containsExactly("Ask Dr. Smith, e.g. Monday.", "Or J. Doe.");
  }

  @Test
  void split_ideographicStops_needNoSpace() {
    assertThat(split("迁移已完成。没有数据丢失！真的吗？是")).containsExactly("迁移已完成。", "没有数据丢失！", "真的吗？", "是");
  }

  @Test
  void split_noWords_givesNothing() {
    assertThat(split("  \n ")).isEmpty();
    assertThat(split("")).isEmpty();
  }

  private static List<String> split(String text) {
    return Sentences.split(text, 0, text.length()).stream().map(slice -> slice.of(text)).toList();
  }
}
