package dev.agentmemory.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/// Where colours are wanted.
class ColoursTest {

  @Test
  void auto_terminal_decidesUnlessTheEnvironmentDoes() {
    assertThat(Colours.AUTO.wanted(true, Map.of())).isTrue();
    assertThat(Colours.AUTO.wanted(false, Map.of())).isFalse();
    assertThat(Colours.AUTO.wanted(true, Map.of("NO_COLOR", "1"))).isFalse();
    assertThat(Colours.AUTO.wanted(true, Map.of("NO_COLOR", ""))).isTrue();
    assertThat(Colours.AUTO.wanted(true, Map.of("TERM", "dumb"))).isFalse();
    assertThat(Colours.AUTO.wanted(false, Map.of("CLICOLOR_FORCE", "1"))).isTrue();
    assertThat(Colours.AUTO.wanted(false, Map.of("CLICOLOR_FORCE", "0"))).isFalse();
    assertThat(Colours.AUTO.wanted(false, Map.of("CLICOLOR_FORCE", "1", "NO_COLOR", "1")))
        .isFalse();
  }

  @Test
  void alwaysAndNever_environment_doesNotMatter() {
    assertThat(Colours.ALWAYS.wanted(false, Map.of("NO_COLOR", "1"))).isTrue();
    assertThat(Colours.NEVER.wanted(true, Map.of("CLICOLOR_FORCE", "1"))).isFalse();
  }
}
