package dev.agentmemory.toc.internal.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.testkit.Seeds;
import dev.agentmemory.text.Slice;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FoldedTest {

  private static Optional<String> find(String text, String quote) {
    return Folded.of(text).find(Folded.of(quote).text()).map(slice -> slice.of(text));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "We said “it’s done” — at last. | we said \"it's done\" - at last | We said “it’s done” — at last",
        "The **retry** policy in `Pool.java` | retry policy in pool.java | retry** policy in `Pool.java",
        "ﬁnal ﬂow of ｆｕｌｌ width | final flow of full width | ﬁnal ﬂow of ｆｕｌｌ width",
        "a\u200Bb\u00ADc is \u2066hidden\u2069 here | abc is hidden here | a\u200Bb\u00ADc is \u2066hidden\u2069 here",
        "cafe\u0301 au lait | caf\u00e9 au lait | cafe\u0301 au lait",
        "Wait… what | wait... what | Wait… what",
        "数据库迁移已经完成 | 迁移已经 | 迁移已经",
      })
  void find_otherSpelling_givesTheWordsAsTheyAreWritten(String text, String quote, String found) {
    assertThat(find(text, quote)).contains(found);
  }

  @Test
  void find_overLineBreaks_givesThem() {
    assertThat(find("one  two\n\tthree\u00a0four", "one two three four"))
        .contains("one  two\n\tthree\u00a0four");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "You can't deploy today | can",
        "He was unable to log in | able to log in",
        "It took 2.5 seconds | 5 seconds",
        "It took 2.5 seconds | it took 2",
        "A non-critical finding | critical finding",
        "We have 1200 users | 200 users",
        "The field max_idle_time | max_idle",
        "p\u0430yment failed | payment failed",
        "payment failed | p\u0430yment failed",
      })
  void find_pieceOfAWordOrLookAlike_isNothing(String text, String quote) {
    assertThat(find(text, quote)).isEmpty();
  }

  @Seeds(300)
  void fold_anyText_mapsBackToRealPlaces(RandomGenerator random) {
    String pool =
        "aB 1.,'-’—\n\t\u00a0\u200b\ufe0f\u0301\u0327é한글ᄒ\u1161ﬃ½ｱ\uff9e*`\ud83d\ude00\ud83dİß数‍👩";
    var text = new StringBuilder();
    for (int i = random.nextInt(60); i > 0; i--) {
      text.append(pool.charAt(random.nextInt(pool.length())));
    }
    Folded folded = Folded.of(text.toString());
    for (int i = 0; i < 20 && !folded.text().isEmpty(); i++) {
      int start = random.nextInt(folded.text().length());
      int end = start + 1 + random.nextInt(folded.text().length() - start);
      Optional<Slice> slice = folded.find(folded.text().substring(start, end));
      slice.ifPresent(found -> assertThat(found.end()).isLessThanOrEqualTo(text.length()));
      // What was found reads as what was looked for.
      String wanted = folded.text().substring(start, end);
      slice.ifPresent(found ->
          assertThat(Folded.of(found.of(text.toString())).text()).contains(wanted.strip()));
    }
  }
}
