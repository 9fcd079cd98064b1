package dev.agentmemory.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LexiconTest {

  private static final Lexicon LISTS =
      new Lexicon(
          "lists.txt",
          """
          # A comment.
          [animal]
          cat dog

          # Another one.
          bird
          [phrase]
          e.g. this
          that one
          [unit]
          s\tsecond seconds
          min\tminute
          """);

  @Test
  void words_areThoseOfAllLines_inOrder() {
    assertThat(LISTS.words("animal")).containsExactly("cat", "dog", "bird");
  }

  @Test
  void phrases_areTheLines_inOrder() {
    assertThat(LISTS.phrases("phrase")).containsExactly("e.g. this", "that one");
  }

  @Test
  void sections_giveEachWordItsSection() {
    assertThat(LISTS.sections("animal", "phrase"))
        .containsEntry("bird", "animal")
        .containsEntry("that", "phrase")
        .hasSize(7);
  }

  @Test
  void keys_giveEachWordItsKey() {
    assertThat(LISTS.keys("unit"))
        .containsEntry("seconds", "s")
        .containsEntry("minute", "min")
        .hasSize(3);
  }

  @Test
  void alternation_matchesThePhrasesLiterally() {
    Pattern pattern = Pattern.compile(LISTS.alternation("animal", "phrase"));
    assertThat(pattern.splitAsStream("1bird2e.g. this3")).containsExactly("1", "2", "3");
    assertThat(pattern.matcher("e_g_ this").find()).isFalse();
  }

  @Test
  void pairs_areTheTwoWordsOfEachLine_inOrder() {
    assertThat(new Lexicon("lists.txt", "[a]\nx y\nx z").pairs("a"))
        .containsExactly(Map.entry("x", "y"), Map.entry("x", "z"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"[a]\nx y\nz", "[a]\nx y\nu v w", "[a]\nx y\nz\tw", "[a]\nx y\nz  w"})
  void pair_withoutTwoWords_isRefused(String content) {
    assertRefused(content, "two words", 3, lists -> lists.pairs("a"));
  }

  @Test
  void pair_twice_isRefused() {
    assertRefused("[a]\nx y\nx z\nx y", "\"x y\" repeats", 4, lists -> lists.pairs("a"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"[a]\nx\n y", "[a]\nx\ny ", "[a]\nx\n\ty", "[a]\nx\n  "})
  void entry_withWhiteSpaceAround_isRefused(String content) {
    assertRefused(content, "white space", 3, _ -> {});
  }

  @Test
  void entry_inUpperCase_isRefused() {
    assertRefused("[a]\nx\nthe Y", "lower case", 3, _ -> {});
  }

  @Test
  void entry_beforeTheFirstSection_isRefused() {
    assertRefused("# comment\nx\n[a]\n", "first section", 2, _ -> {});
  }

  @Test
  void section_twice_isRefused() {
    assertRefused("[a]\nx\n[a]\ny", "already", 3, _ -> {});
  }

  @Test
  void section_withoutItsBracket_isRefused() {
    assertRefused("[a\nx", "bracket", 1, _ -> {});
  }

  @Test
  void word_twice_isRefused() {
    assertRefused("[a]\nx y\nz x", "\"x\" repeats", 3, lists -> lists.words("a"));
  }

  @Test
  void word_ofTwoSections_isRefusedWhereTheyAreReadTogether() {
    String content = "[a]\nx\n[b]\nx";
    assertThat(new Lexicon("lists.txt", content).words("b")).containsExactly("x");
    assertRefused(content, "\"x\" repeats", 4, lists -> lists.sections("a", "b"));
  }

  @Test
  void word_ofTwoKeys_isRefused() {
    assertRefused("[a]\n1\tx\n2\tx", "\"x\" repeats", 3, lists -> lists.keys("a"));
  }

  @Test
  void phrase_twice_isRefused() {
    assertRefused("[a]\nx y\nx z\nx y", "\"x y\" repeats", 4, lists -> lists.phrases("a"));
  }

  @Test
  void word_empty_isRefused() {
    assertRefused("[a]\nx  y", "empty", 2, lists -> lists.words("a"));
    assertRefused("[a]\n1\tx  y", "empty", 2, lists -> lists.keys("a"));
  }

  @Test
  void line_withoutAKey_isRefused() {
    assertRefused("[a]\nx y", "a key and a tab", 2, lists -> lists.keys("a"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "b"})
  void section_emptyOrMissing_isRefused(String section) {
    Lexicon lists = new Lexicon("lists.txt", "[a]\n# x\n");
    assertThatThrownBy(() -> lists.words(section))
        .isInstanceOf(AssertionError.class)
        .hasMessageContainingAll("lists.txt", "[" + section + "]");
  }

  @Test
  void resource_missing_isRefused() {
    assertThatThrownBy(() -> Lexicon.beside(LexiconTest.class, "none.txt"))
        .isInstanceOf(AssertionError.class)
        .hasMessageContainingAll("none.txt", LexiconTest.class.getName());
  }

  private static void assertRefused(
      String content, String problem, int line, Consumer<Lexicon> read) {
    assertThatThrownBy(() -> read.accept(new Lexicon("lists.txt", content)))
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("lists.txt, line " + line + ": ")
        .hasMessageContaining(problem);
  }
}
