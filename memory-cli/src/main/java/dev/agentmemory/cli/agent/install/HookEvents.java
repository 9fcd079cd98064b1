package dev.agentmemory.cli.agent.install;

import dev.agentmemory.agents.Agent;
import java.util.List;

/// The events for which hooks are installed: the fewest that carry everything. What happens within
/// a turn is in the agent's transcript, which the daemon reads when the turn ends; so there is none
/// for each tool where there is a transcript, none for each request of the model, and none whose
/// failure would stop the agent.
final class HookEvents {

  private static final int SECONDS = 10;

  private HookEvents() {}

  /// @param name as the agent calls it
  /// @param seconds after which the agent gives up; `memory-hook` gives up long before
  record HookEvent(String name, int seconds) {}

  static List<HookEvent> of(Agent agent) {
    return switch (agent) {
      case CLAUDE_CODE ->
          events("SessionStart", "UserPromptSubmit", "Stop", "SubagentStop", "SessionEnd");
      // Codex grants a hook at the end of a session three seconds, and says so if it asks for more.
      case CODEX ->
          List.of(
              new HookEvent("SessionStart", SECONDS),
              new HookEvent("UserPromptSubmit", SECONDS),
              new HookEvent("Stop", SECONDS),
              new HookEvent("SubagentStop", SECONDS),
              new HookEvent("SessionEnd", 3));
      case GEMINI -> events("SessionStart", "BeforeAgent", "AfterAgent", "SessionEnd");
      case COPILOT -> events("sessionStart", "userPromptSubmitted", "agentStop", "sessionEnd");
      // Its transcripts are known from documents only, so the hooks carry the turn themselves.
      case CURSOR ->
          events(
              "sessionStart",
              "beforeSubmitPrompt",
              "postToolUse",
              "postToolUseFailure",
              "afterAgentResponse",
              "subagentStop",
              "stop",
              "sessionEnd");
      // The plugin for it sends what it needs.
      case OPENCODE -> List.of();
    };
  }

  private static List<HookEvent> events(String... names) {
    return List.of(names).stream().map(name -> new HookEvent(name, SECONDS)).toList();
  }
}
