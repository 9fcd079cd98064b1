package dev.agentmemory.bench.hook;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class HookPostTest {

  @Test
  void session_beginsWithItsStart_andHasThreeTurns() {
    assertThat(HookPost.session("s", 1, Path.of("p")))
        .hasSize(HookPost.IN_SESSION)
        .extracting(HookPost::event)
        .startsWith(HookPost.START, HookPost.PROMPT, HookPost.TOOL, HookPost.STOP, HookPost.PROMPT);
  }

  @Test
  void prompt_isWhatClaudeCodePassesOn() {
    assertThat(HookPost.prompt("s", "p1", "say \"hello\"", Path.of("/p")).payload())
        .contains(
            "\"session_id\":\"s\"",
            "\"cwd\":\"/p\"",
            "\"hook_event_name\":\"UserPromptSubmit\"",
            "\"prompt_id\":\"p1\"",
            "\"prompt\":\"say \\\"hello\\\"\"");
  }
}
