package dev.agentmemory.bench.digest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DigestTermsTest {

  @Test
  void of_identifier_isWholeAndInParts() {
    assertThat(DigestTerms.of("the getWorktreePath() call"))
        .containsExactly("=getworktreepath", "worktre", "path", "call");
  }

  @Test
  void of_path_isItsLastName() {
    assertThat(DigestTerms.of("internal/store/retry_policy.go"))
        .containsExactly("=retry_policy.go", "retry", "policy", "go");
  }

  @Test
  void of_hash_isLeftOut() {
    assertThat(DigestTerms.of("commit dfba5083 fixed 12 errors"))
        .containsExactly("commit", "fix", "12", "error");
  }

  @ParameterizedTest
  @CsvSource({"stopped,stop", "condensation,condens", "passes,pass", "free,fr", "policies,polic"})
  void stem_ofAWord_hasNoEnding(String word, String stem) {
    assertThat(DigestTerms.stem(word)).isEqualTo(stem);
  }
}
