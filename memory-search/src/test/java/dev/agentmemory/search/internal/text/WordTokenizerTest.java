package dev.agentmemory.search.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.testkit.Seeds;
import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import java.util.random.RandomGenerator;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.icu.segmentation.DefaultICUTokenizerConfig;
import org.apache.lucene.analysis.icu.segmentation.ICUTokenizer;
import org.junit.jupiter.api.Test;

/// Latin text is cut by another tokenizer than the rest; the words have to be those of ICU.
class WordTokenizerTest {

  /// What the rules for borders of words treat in ways of their own.
  private static final String SPECIAL = "..,;:'\"_-/@#  \n\t0159aZé’“…·­ªµ";

  private final WordTokenizer tokenizer = new WordTokenizer();

  /// What both tokenizers treat alike, so that the text is not left to ICU.
  @Seeds(500)
  void latinText_hasTheWordsOfIcu(RandomGenerator random) throws IOException {
    String text =
        text(random, 0x250, random.nextInt(300)).replaceAll("[©®\u00AD]", " ").replace("__", "_a");
    assertThat(tokens(tokenizer, text)).isEqualTo(tokens(icu(), text));
  }

  /// What they treat differently stands in nearly all of these, but not in all.
  @Seeds(500)
  void latinText_withAnyCharacters_hasTheWordsOfIcu(RandomGenerator random) throws IOException {
    String text = text(random, 0x250, random.nextInt(300));
    assertThat(tokens(tokenizer, text)).isEqualTo(tokens(icu(), text));
  }

  @Test
  void eachCharacterThatIsTreatedDifferently_isLeftToIcu() throws IOException {
    for (String text : List.of("a © b", "a ® b", "a\u00AD b", "_\u00AD", "a __ b", "x___")) {
      assertThat(tokens(tokenizer, text)).as(text).isEqualTo(tokens(icu(), text));
    }
  }

  @Seeds(200)
  void anyText_hasTheWordsOfIcu(RandomGenerator random) throws IOException {
    String text = text(random, 0x3400, random.nextInt(300));
    assertThat(tokens(tokenizer, text)).isEqualTo(tokens(icu(), text));
  }

  @Test
  void textsOfBothKinds_inTurns_areReadWhole() throws IOException {
    for (String text : List.of("The retry policy", "東京 tower", "v1.2.3 isn't", "สวัสดี ok", "")) {
      assertThat(tokens(tokenizer, text)).as(text).isEqualTo(tokens(icu(), text));
    }
  }

  @Test
  void wordOfSeveralHundredLetters_isOne() throws IOException {
    assertThat(tokens(tokenizer, "x".repeat(700) + " y")).hasSize(3);
  }

  /// @param end characters are below it
  private static String text(RandomGenerator random, int end, int length) {
    var text = new StringBuilder();
    while (text.length() < length) {
      switch (random.nextInt(4)) {
        case 0 -> text.append(SPECIAL.charAt(random.nextInt(SPECIAL.length())));
        case 1 -> text.append((char) random.nextInt(0x20, 0x7F));
        case 2 -> text.append((char) random.nextInt(0x2010, 0x2028));
        default -> text.append((char) random.nextInt(end));
      }
    }
    return text.toString();
  }

  private static Tokenizer icu() {
    return new ICUTokenizer(new DefaultICUTokenizerConfig(false, true));
  }

  private static List<String> tokens(Tokenizer source, String text) throws IOException {
    source.setReader(new StringReader(text));
    return PrintedTokens.of(source);
  }
}
