package dev.agentmemory.agents;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class HookRepliesTest {

  @Test
  void context_hasTheFormOfTheAgent() {
    String nested =
        "{\"hookSpecificOutput\":{\"hookEventName\":\"%s\",\"additionalContext\":\"known\"}}";
    assertThat(HookReplies.context(Agent.CLAUDE_CODE, "SessionStart", "known"))
        .isEqualTo(nested.formatted("SessionStart"));
    assertThat(HookReplies.context(Agent.CODEX, "UserPromptSubmit", "known"))
        .isEqualTo(nested.formatted("UserPromptSubmit"));
    assertThat(HookReplies.context(Agent.GEMINI, "BeforeAgent", "known"))
        .isEqualTo(nested.formatted("BeforeAgent"));
    assertThat(HookReplies.context(Agent.COPILOT, "sessionStart", "known"))
        .isEqualTo("{\"additionalContext\":\"known\"}");
    assertThat(HookReplies.context(Agent.CURSOR, "sessionStart", "known"))
        .isEqualTo("{\"additional_context\":\"known\"}");
    assertThat(HookReplies.context(Agent.OPENCODE, "chat.message", "known"))
        .isEqualTo("{\"additionalContext\":\"known\"}");
  }

  @ParameterizedTest
  @EnumSource(Agent.class)
  void endOfATurn_takesNone(Agent agent) {
    for (String event :
        new String[] {
          "Stop", "SubagentStop", "AfterAgent", "agentStop", "stop", "session.idle", ""
        }) {
      assertThat(HookReplies.context(agent, event, "known")).isEmpty();
    }
  }

  @Test
  void emptyText_givesNoBody() {
    assertThat(HookReplies.context(Agent.CLAUDE_CODE, "SessionStart", " \n")).isEmpty();
  }
}
