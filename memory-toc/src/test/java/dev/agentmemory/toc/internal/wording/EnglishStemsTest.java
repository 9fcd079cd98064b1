package dev.agentmemory.toc.internal.wording;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class EnglishStemsTest {

  @Test
  void forms_ofAWord_haveOneStem() {
    assertThat(Stream.of("migrate", "migrates", "migrated", "migrating").map(EnglishStems::of))
        .containsOnly("migrat");
  }

  @Test
  void consonant_doubledBeforeAnEnding_isOne() {
    assertThat(Stream.of("run", "runs", "runner", "running").map(EnglishStems::of))
        .containsOnly("run");
  }

  @Test
  void shortWord_keepsItsEnding() {
    assertThat(Stream.of("used", "ring", "s").map(EnglishStems::of))
        .containsExactly("used", "ring", "s");
  }
}
