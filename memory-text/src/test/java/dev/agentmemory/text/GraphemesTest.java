package dev.agentmemory.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.text.BreakIterator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

class GraphemesTest {

  private static final String FAMILY = "👩‍👩‍👧‍👦";
  private static final String FLAGS = "🇩🇪🇯🇵🇫🇷";
  private static final List<String> PIECES =
      List.of(
          "a", "é", "e\u0301", " ", "\r\n", FAMILY, "👍🏽", "🇩🇪", "🇯🇵", "日", "本", "か\u3099",
          "한", "ᄒ", "ᅡ", "ᆫ", "न", "ि", "\u200d", "ü", "\ufe0f", "❤", "©", "3", ",", "ß");

  @Test
  void head_textFits_isTheTextItself() {
    assertThat(Graphemes.head("short", 5)).isEqualTo("short");
    assertThat(Graphemes.head("", 0)).isEmpty();
  }

  @Test
  void head_plainText_isCutAtTheLimit() {
    assertThat(Graphemes.head("abcdef", 4)).isEqualTo("abcd");
    assertThat(Graphemes.head("日本語です", 3)).isEqualTo("日本語");
  }

  @Test
  void head_limitInsideACharacter_isCutBeforeIt() {
    assertThat(Graphemes.head("x" + FAMILY + "y", 5)).isEqualTo("x");
    assertThat(Graphemes.head("cafe\u0301!", 4)).isEqualTo("caf");
    assertThat(Graphemes.head("👍🏽 ok", 2)).isEmpty();
    assertThat(Graphemes.head("a\r\nb", 2)).isEqualTo("a");
    assertThat(Graphemes.head("か\u3099く", 1)).isEmpty();
  }

  @Test
  void head_flagsInARow_staysWithWholeFlags() {
    assertThat(Graphemes.head(FLAGS, 4)).isEqualTo("🇩🇪");
    assertThat(Graphemes.head(FLAGS, 7)).isEqualTo("🇩🇪");
    assertThat(Graphemes.head(FLAGS, 8)).isEqualTo("🇩🇪🇯🇵");
  }

  @Test
  void head_negativeLimit_isRefused() {
    assertThatThrownBy(() -> Graphemes.head("a", -1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void head_randomText_isTheLongestPrefixOfWholeClusters() {
    for (int seed = 0; seed < 300; seed++) {
      var random = new Random(seed);
      var text = new StringBuilder();
      for (int i = random.nextInt(30); i >= 0; i--) {
        text.append(PIECES.get(random.nextInt(PIECES.size())));
      }
      int limit = random.nextInt(text.length() + 2);
      assertThat(Graphemes.head(text.toString(), limit))
          .as("seed %d", seed)
          .isEqualTo(longestPrefix(text.toString(), limit));
    }
  }

  @Test
  void shorten_textTooLong_endsBehindAWordWithAnEllipsis() {
    assertThat(Graphemes.shorten("one two three four", 12)).isEqualTo("one two…");
    assertThat(Graphemes.shorten("one two, three", 10)).isEqualTo("one two…");
    assertThat(Graphemes.shorten("fits", 4)).isEqualTo("fits");
  }

  @Test
  void shorten_noWordFits_cutsBehindAWholeCharacter() {
    assertThat(Graphemes.shorten("abcdefghij", 5)).isEqualTo("abcd…");
    assertThat(Graphemes.shorten("日本語の文章", 4)).isEqualTo("日本語…");
    assertThat(Graphemes.shorten(FAMILY + FAMILY, 14)).isEqualTo(FAMILY + "…");
  }

  @Test
  void shorten_anyLimit_neverLongerThanIt() {
    for (int limit = 0; limit < 40; limit++) {
      assertThat(Graphemes.shorten("Ein Satz mit " + FAMILY + " und " + FLAGS + " darin", limit))
          .hasSizeLessThanOrEqualTo(limit);
    }
  }

  private static String longestPrefix(String text, int limit) {
    BreakIterator clusters = BreakIterator.getCharacterInstance(Locale.ROOT);
    clusters.setText(text);
    int end = 0;
    for (int at = clusters.first(); at != BreakIterator.DONE && at <= limit; at = clusters.next()) {
      end = at;
    }
    return text.substring(0, end);
  }
}
