package dev.agentmemory.agents.internal;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentmemory.types.EventId;

/// What the ids of turns are unique in, the same for hooks and transcripts.
public final class TurnScopes {

  private TurnScopes() {}

  /// The scope of a prompt in a subagent: it has the id of its parent's prompt.
  public static String ofSubagent(String prompt, String subagent) {
    return prompt.isEmpty() || subagent.isEmpty() ? prompt : prompt + ":" + subagent;
  }

  /// A call whose id is unique in the world; without one, what it was called with in its turn.
  public static EventId tool(TurnIds ids, String scope, String use, JsonNode input) {
    return use.isEmpty() ? ids.tool(scope, ToolTexts.canonical(input)) : ids.tool("", use);
  }

  /// A call whose id is unique in its turn or session.
  public static EventId toolWithin(
      TurnIds ids, String scope, String use, String name, JsonNode input) {
    return ids.tool(scope, use.isEmpty() ? name + ' ' + ToolTexts.canonical(input) : use);
  }
}
