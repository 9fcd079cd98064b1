package dev.agentmemory.agents.transcript;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class BytePatternTest {

  /// Few letters, so that texts repeat parts of themselves.
  private static String text(SplittableRandom random, int length) {
    return random
        .ints(length, 'a', 'd')
        .mapToObj(letter -> Character.toString(letter))
        .collect(Collectors.joining());
  }

  @Test
  void isIn_sameAsForStrings() {
    var random = new SplittableRandom(5);
    for (int i = 0; i < 20_000; i++) {
      String wanted = text(random, 1 + random.nextInt(6));
      String before = text(random, random.nextInt(4));
      String line = text(random, random.nextInt(40));
      String after = text(random, random.nextInt(4));
      byte[] bytes = (before + line + after).getBytes(StandardCharsets.US_ASCII);
      assertThat(new BytePattern(wanted).isIn(bytes, before.length(), line.length()))
          .as("%s in %s", wanted, line)
          .isEqualTo(line.contains(wanted));
    }
  }

  @Test
  void isIn_bytesThatAreNoAscii_arePassedOver() {
    byte[] bytes = "\u00e9\u4f60\u597d\"promptId\"\u00ff".getBytes(StandardCharsets.UTF_8);
    assertThat(new BytePattern("\"promptId\"").isIn(bytes, 0, bytes.length)).isTrue();
    assertThat(new BytePattern("\"promptIe\"").isIn(bytes, 0, bytes.length)).isFalse();
  }
}
