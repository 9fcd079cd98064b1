package dev.agentmemory.agents.internal;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentmemory.agents.event.AgentMetadata;
import java.util.HashMap;
import java.util.Map;

/// A call of a tool with its result.
///
/// @param use the agent's id of the call; "" when it gives none
/// @param input what it was called with, as JSON
/// @param result without our own envelope
public record ToolTurn(String name, String use, String input, String result, boolean failed) {

  public static ToolTurn of(
      String name, String use, JsonNode input, String result, boolean failed) {
    return new ToolTurn(name, use, ToolTexts.input(input), CapturedText.returned(result), failed);
  }

  public ToolTurn withoutInput() {
    return new ToolTurn(name, use, "", result, failed);
  }

  Map<String, String> metadata() {
    Map<String, String> metadata = new HashMap<>();
    metadata.put(AgentMetadata.TOOL, name);
    metadata.put(AgentMetadata.TOOL_USE, use);
    metadata.put(AgentMetadata.TOOL_INPUT, input);
    metadata.put(AgentMetadata.FAILED, failed ? "true" : "");
    return metadata;
  }
}
