package dev.agentmemory.cli.agent.install;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TomlKeysTest {

  private static List<String> keys(String text) {
    return TomlKeys.of(text).stream()
        .map(key -> (key.isTable() ? "table " : "") + String.join("/", key.path()))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a.b.c = 1",
        "a . \"b\" . 'c' = 1",
        "[a]\nb.c = 1",
        "[a.b]\nc = 1",
        "[ a . \"b\" ] # why\nc = 1",
        "a = {b = {c = 1}}",
        "a.b = { c = \"}\" } # {d = 1}",
        "[[a.b]]\nc = [1, # ]\n 2]"
      })
  void key_inEachForm_isFound(String text) {
    assertThat(keys(text)).contains("a/b/c");
    assertThat(keys(text + "\nlast = 1").getLast()).endsWith("last");
  }

  @Test
  void textThatLooksLikeKeys_inValuesAndComments_isNone() {
    assertThat(
            keys(
                """
                # [x]
                a = \"""
                [x]
                y = "1" \\\"""
                \"""\"
                b = '''
                [x]'''
                c = ["[x]", '{y = 1}', "\\"", { d = 1 }]
                [t]
                """))
        .containsExactly("a", "b", "c", "c/d", "table t");
  }

  @ParameterizedTest
  @ValueSource(strings = {"[", "a", "a = [", "a = {", "a = \"", "= 1", "a = ]", "[a\nb", "a = [}"})
  void textWithMistakes_isReadToItsEnd(String text) {
    assertThat(TomlKeys.of(text)).isNotEmpty();
  }
}
