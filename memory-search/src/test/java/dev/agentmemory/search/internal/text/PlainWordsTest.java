package dev.agentmemory.search.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.testkit.Seeds;
import java.io.IOException;
import java.util.List;
import java.util.random.RandomGenerator;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.miscellaneous.RemoveDuplicatesTokenFilter;
import org.junit.jupiter.api.Test;

/// Plain words do not go through all filters, and terms are not hashed to find equal ones; the
/// terms have to be those of Lucene's filters.
class PlainWordsTest {

  private static final String[] PIECES = {
    "the",
    "Running",
    "connections",
    "I",
    "a",
    "HTTP",
    "getUserName",
    "retry_policy",
    "O'Brien's",
    "Müller",
    "ﬁsh",
    "北京大学",
    "カタカナ",
    "ｶﾀｶﾅ",
    "e-mail",
    "v1.2.3",
    "42",
    "naïve",
    "İstanbul",
    "안녕하세요",
    "x",
    "McDonald",
    "don't",
    "ＡＢＣ",
    "สวัสดี",
    "wi-fi",
    "To",
    "BE",
    "Éclair",
    "A1b",
    "requestS",
    "HTTPServer",
    "a1B",
    "utf8",
    "UTF8x",
    "007",
    "3D",
    "x1Y2z"
  };

  private static final String[] BORDERS = {" ", " ", " ", ", ", "", "-", ".", "\n", " (", "/"};

  private final Analysis analysis = new Analysis();

  @Seeds(300)
  void anyText_givesTheTermsOfAllFilters(RandomGenerator random) throws IOException {
    var text = new StringBuilder();
    int pieces = random.nextInt(40);
    for (int i = 0; i < pieces; i++) {
      text.append(PIECES[random.nextInt(PIECES.length)])
          .append(BORDERS[random.nextInt(BORDERS.length)]);
    }
    String all = text.toString();
    assertThat(tokens(analysis.words(), all)).isEqualTo(tokens(filtered(true, false), all));
    assertThat(tokens(analysis.phrases(), all)).isEqualTo(tokens(filtered(false, false), all));
    assertThat(tokens(analysis.forms(), all)).isEqualTo(tokens(filtered(true, true), all));
  }

  @Test
  void plainWord_isInLowerCaseAndStemmed() throws IOException {
    assertThat(Analysis.terms(analysis.words(), "Connections")).containsExactly("connect");
  }

  @Test
  void namesInCapitals_andNumbers_areInLowerCaseAndWhole() {
    assertThat(Analysis.terms(analysis.words(), "HTTP UTF8 v2 2026"))
        .containsExactly("http", "utf8", "v2", "2026");
  }

  @Test
  void termThatStandsAtItsPlaceTwice_isOne() {
    assertThat(Analysis.terms(analysis.words(), "requestS")).containsOnlyOnce("request");
  }

  private static Analyzer filtered(boolean parts, boolean forms) {
    return new Analyzer() {
      @Override
      protected TokenStreamComponents createComponents(String field) {
        Tokenizer source = new WordTokenizer();
        return new TokenStreamComponents(
            source,
            new RemoveDuplicatesTokenFilter(
                Analysis.allTerms(Analysis.rewritten(source, parts), forms)));
      }
    };
  }

  private static List<String> tokens(Analyzer analyzer, String text) throws IOException {
    return PrintedTokens.of(analyzer.tokenStream("", text));
  }
}
