package dev.agentmemory.recall.orient;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OneLineTextTest {

  @Test
  void lineEndsAndControls_ofAnyKind_becomeOneSpace() {
    assertThat(OneLineText.of(" a\r\n\tb\u0085c\u2028d\u2029e\u000bf\u0000g\u001b[0m\u00a0h ", 100))
        .isEqualTo("a b c d e f g [0m h");
  }

  @Test
  void text_longerThanWhatIsRead_endsInAnEllipsis() {
    assertThat(OneLineText.of("abcdef", 4)).isEqualTo("abcd…");
    assertThat(OneLineText.of("abcdef", 6)).isEqualTo("abcdef");
  }

  @ParameterizedTest
  @CsvSource({
    "# heading, \\# heading",
    "> quote, \\> quote",
    "- item, \\- item",
    "1. item, 1\\. item",
    "12) item, 12\\) item",
    "1.5 times, 1.5 times",
    "```java, \\```java",
    "<div>, \\<div>",
    "[a]: b, \\[a]: b",
    "[evt:x], \\[evt\\:x]",
    "plain # text, plain # text"
  })
  void start_ofABlock_isEscaped(String line, String escaped) {
    assertThat(OneLineText.escapedAtStart(line)).isEqualTo(escaped);
  }
}
