package dev.agentmemory.bench.secrets;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SampleLineTest {

  private static final String DIGIT = "[0-9]";

  @Test
  void generated_placeholders_areReplacedByTheirShapes() {
    var line =
        new SampleLine(true, "x", "a {{'ab c' digits:3}} b {{hex:2-4 '-' Word:4}}{{upper:1}}");

    SampleText text = line.generated(new SplittableRandom(1));

    assertThat(text.shown()).matches("a ab c" + DIGIT + "{3} b [0-9a-f]{2,4}-[A-Z][a-z]{3}[A-Z]");
    assertThat(text.rest()).hasSameSizeAs(text.shown()).matches("a \0{7} b \0{8,10}");
  }

  @Test
  void hides_textWithoutAnythingOfTheSecret_isTrue() {
    assertThat(hides("key=\0\0\0;k=\0\0\0\0;", "key=[masked:a];k=[masked:b];")).isTrue();
    assertThat(hides("key=\0\0\0", "[masked:a]")).isTrue();
    assertThat(hides("\0\0 \0\0", "[masked:a] [masked:a]")).isTrue();
  }

  @Test
  void hides_anyCharacterLeft_isFalse() {
    assertThat(hides("key=\0\0\0;", "key=abc;")).isFalse();
    assertThat(hides("key=\0\0\0;", "key=a[masked:a];")).isFalse();
    assertThat(hides("key=\0\0\0;", "key=[masked:a]c;")).isFalse();
    assertThat(hides("a=\0\0, b=\0\0", "a=[masked:a], b=cd")).isFalse();
    assertThat(hides("a=\0\0, b=\0\0", "a=ab, b=[masked:a]")).isFalse();
    assertThat(hides("a=\0\0\0, b", "a=[masked:x]b[masked:x], b")).isFalse();
  }

  private static boolean hides(String rest, String masked) {
    return new SampleText(rest, rest).hides(masked);
  }
}
