package dev.agentmemory.bench.console.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class HostileTextsTest {

  private static final String TRAP = "http://127.0.0.1:1";

  private static List<String> texts(long seed) {
    return HostileTexts.of(1000, TRAP, new SplittableRandom(seed));
  }

  @Test
  void sameSeed_givesTheSameTexts() {
    assertThat(texts(7)).isEqualTo(texts(7)).isNotEqualTo(texts(8));
  }

  @Test
  void aThousandTexts_differ_andHaveEachKindOfDanger() {
    List<String> all = texts(7);
    assertThat(all).doesNotHaveDuplicates().allMatch(text -> text.contains(HostileTexts.WORD));
    for (String part :
        List.of(
            "<script>",
            "onerror=",
            "javascript:",
            "data:text/html",
            "<svg",
            "${",
            "\u0000",
            "\u202e",
            "\ud800 ",
            TRAP + "/trap/",
            "__proto__")) {
      assertThat(all).as(part).anyMatch(text -> text.contains(part));
    }
    assertThat(all)
        .as("nothing is left of the shapes' places")
        .noneMatch(text -> text.contains("@RUN@") || text.contains("@TRAP@"));
    assertThat(all).filteredOn(text -> text.length() > 1 << 19).hasSize(3);
    assertThat(all).allMatch(text -> text.getBytes(StandardCharsets.UTF_8).length <= 1 << 20);
  }

  @Test
  void name_hasNoControls_andFits() {
    assertThat(HostileTexts.name("a\u0000b\ud800c\nd", 3)).isEqualTo("abc");
    assertThat(HostileTexts.name("\u00e4\u00e4", 3)).isEqualTo("\u00e4");
  }

  @Test
  void ascii_hasEachUnit() {
    assertThat(HostileTexts.ascii("\"\ud800\u00e4a\"")).isEqualTo("\"\\ud800\\u00e4a\"");
  }
}
