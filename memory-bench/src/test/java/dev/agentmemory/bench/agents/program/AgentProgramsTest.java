package dev.agentmemory.bench.agents.program;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class AgentProgramsTest {

  @Test
  void taken_isWhatOpenCodeMakesOfAnArgument() {
    var program = new OpenCodeProgram();

    assertThat(program.taken("one")).isEqualTo("one");
    assertThat(program.taken("say \"a\\b\" twice")).isEqualTo("\"say \\\"a\\b\\\" twice\"");
    assertThat(new GeminiProgram().taken("say \"a\"")).isEqualTo("say \"a\"");
  }

  @Test
  void given_isWhatGeminiMakesOfAContext() {
    assertThat(new GeminiProgram().given("<b>tag</b> & more"))
        .isEqualTo("&lt;b&gt;tag&lt;/b&gt; & more");
    assertThat(new OpenCodeProgram().given("<b>")).isEqualTo("<b>");
  }
}
