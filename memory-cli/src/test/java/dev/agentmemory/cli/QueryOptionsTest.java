package dev.agentmemory.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.search.RelevanceThreshold;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

final class QueryOptionsTest {

  @Command(name = "asked")
  private static final class Asked {
    @Mixin private QueryOptions question = new QueryOptions();
  }

  private static RelevanceThreshold threshold(String... arguments) {
    return CommandLine.populateCommand(new Asked(), arguments).question.threshold();
  }

  @Test
  void threshold_notGiven_isTheDefault() {
    assertThat(threshold("x")).isEqualTo(RelevanceThreshold.DEFAULT);
  }

  @Test
  void threshold_ofZero_leavesNothingOut() {
    assertThat(threshold("x", "--min-relevance", "0")).isEqualTo(RelevanceThreshold.NONE);
  }

  @Test
  void threshold_given_isThatOfEachHit() {
    assertThat(threshold("x", "--min-relevance=0.4")).isEqualTo(new RelevanceThreshold(0.4, 0));
  }
}
