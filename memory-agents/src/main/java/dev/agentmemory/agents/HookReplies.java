package dev.agentmemory.agents;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentmemory.agents.internal.PayloadFields;
import java.util.Map;
import java.util.Set;

/// The bodies of answers to hooks, in the form that each agent takes.
public final class HookReplies {

  /// Events that take a context, in lower case. Never the end of a turn: a context there makes the
  /// agent go on.
  private static final Map<Agent, Set<String>> TAKING =
      Map.of(
          Agent.CLAUDE_CODE, Set.of("SessionStart", "UserPromptSubmit", "SubagentStart"),
          Agent.CODEX, Set.of("SessionStart", "UserPromptSubmit"),
          Agent.GEMINI, Set.of("SessionStart", "BeforeAgent"),
          Agent.COPILOT,
              Set.of("sessionStart", "SessionStart", "userPromptSubmitted", "UserPromptSubmit"),
          Agent.CURSOR, Set.of("sessionStart", "SessionStart"),
          Agent.OPENCODE,
              Set.of(
                  "chat.message",
                  "session.created",
                  "system.transform",
                  "experimental.chat.system.transform"));

  private HookReplies() {}

  /// The body that gives an agent a text as context; empty where the event takes none, and for an
  /// empty text.
  ///
  /// @param event the agent's own name of the event
  public static String context(Agent agent, String event, String text) {
    boolean taken = TAKING.getOrDefault(agent, Set.of()).contains(event);
    if (text.isBlank() || !taken) {
      return "";
    }
    ObjectNode reply = PayloadFields.JSON.createObjectNode();
    switch (agent) {
      case CLAUDE_CODE, CODEX, GEMINI ->
          reply
              .putObject("hookSpecificOutput")
              .put("hookEventName", event)
              .put("additionalContext", text);
      case COPILOT, OPENCODE -> reply.put("additionalContext", text);
      case CURSOR -> reply.put("additional_context", text);
    }
    return reply.toString();
  }

  /// Most characters of context that an agent shows to its model whole. Claude Code replaces a
  /// longer one by a file and its beginning; for the others no limit is known.
  public static int limit(Agent agent) {
    return switch (agent) {
      case CLAUDE_CODE, CODEX, GEMINI, COPILOT, CURSOR, OPENCODE -> 10_000;
    };
  }
}
