package dev.agentmemory.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.text.Term.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

class TermsTest {

  @Test
  void terms_codeIdentifier_staysWholeAndIsSplit() {
    assertThat(wholes("call parseHttpHeader() and max_retry_count"))
        .containsExactly("call", "parseHttpHeader", "and", "max_retry_count");
    assertThat(keys("parseHttpHeader"))
        .containsExactly("parsehttpheader", "parse", "http", "header");
    assertThat(kind("parseHttpHeader")).isEqualTo(Kind.IDENTIFIER);
    assertThat(kind("--force-push")).isEqualTo(Kind.IDENTIFIER);
  }

  @Test
  void terms_path_staysWholeWithoutItsLineNumber() {
    assertThat(wholes("see src/main/App.java:12, ok")).contains("src/main/App.java");
    assertThat(wholes("`server.go:185-188`.")).containsExactly("server.go");
    assertThat(kind("/etc/hosts")).isEqualTo(Kind.PATH);
    assertThat(kind(".gitignore")).isEqualTo(Kind.PATH);
  }

  @Test
  void terms_versionsAndErrorCodes_areWhole() {
    assertThat(kind("v2.3.1")).isEqualTo(Kind.CODE);
    assertThat(kind("1.2.3")).isEqualTo(Kind.CODE);
    assertThat(kind("E0502")).isEqualTo(Kind.CODE);
    assertThat(kind("ABC-123")).isEqualTo(Kind.CODE);
    assertThat(kind("42")).isEqualTo(Kind.NUMBER);
    assertThat(kind("90%")).isEqualTo(Kind.NUMBER);
    assertThat(kind("10ms")).isEqualTo(Kind.NUMBER);
  }

  @Test
  void terms_linksAndHashes_areOpaque() {
    assertThat(kind("https://example.org/a?b")).isEqualTo(Kind.OPAQUE);
    assertThat(kind("9f86d081884c7d65")).isEqualTo(Kind.OPAQUE);
    assertThat(kind("86cc3044-7515-43f1-9c25-1444738c64c9")).isEqualTo(Kind.OPAQUE);
  }

  @Test
  void terms_formsOfAWord_haveOneKey() {
    assertThat(keys("Retries retry RETRY retry's")).containsOnly("retry");
    assertThat(keys("agency agencies")).containsOnly("agency");
    assertThat(keys("l'hôtel hôtels")).containsOnly("hôtel");
    assertThat(keys("café cafe\u0301")).containsOnly("café");
  }

  @Test
  void terms_ordinaryWords_areToldApart() {
    assertThat(kind("the")).isEqualTo(Kind.STOP);
    assertThat(kind("thanks")).isEqualTo(Kind.POLITE);
    assertThat(kind("thing")).isEqualTo(Kind.GENERIC);
    assertThat(kind("pottery")).isEqualTo(Kind.WORD);
    assertThat(kind("C++")).isNotEqualTo(Kind.STOP);
    assertThat(wholes("C++ and C#")).containsExactly("C++", "and", "C#");
  }

  @Test
  void terms_longIdeographs_comeAsPairs() {
    assertThat(wholes("数据库迁移")).containsExactly("数据", "据库", "库迁", "迁移");
    assertThat(wholes("決済クライアントを")).contains("決済", "クライアント");
    assertThat(kind("谢谢")).isEqualTo(Kind.POLITE);
  }

  @Test
  void terms_place_leadsBackToTheText() {
    String text = "Why does src/App.java fail on JDK-25 with 日本語? It's `max_size`.";
    for (Term term : Terms.of(text)) {
      assertThat(text).startsWith(text.substring(0, term.start()) + term.text());
    }
  }

  private static List<String> wholes(String text) {
    return Terms.of(text).stream().filter(term -> !term.part()).map(Term::text).toList();
  }

  private static List<String> keys(String text) {
    return Terms.of(text).stream().map(Term::key).toList();
  }

  private static Kind kind(String text) {
    return Terms.of(text).getFirst().kind();
  }
}
