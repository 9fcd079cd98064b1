package dev.agentmemory.types;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Which texts can be written as UTF-8.
class UnicodeTextTest {

  @ParameterizedTest
  @ValueSource(
      strings = {"", "text", "\u00e9\u6570\uffff", "\ud83d\ude00", "a\ud83d\ude00\ud83d\ude00b"})
  void hasLoneSurrogate_validUnicode_hasNone(String text) {
    assertThat(UnicodeText.hasLoneSurrogate(text)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\ud83d",
        "\ude00",
        "a\ud83d",
        "\ude00a",
        "\ude00\ud83d",
        "\ud83d\ud83d\ude00",
        "\ud83d\ude00\ude00",
        "\ud83d\ude00 text \ud83d"
      })
  void hasLoneSurrogate_oneHalfMissing_hasOne(String text) {
    assertThat(UnicodeText.hasLoneSurrogate(text)).isTrue();
  }
}
