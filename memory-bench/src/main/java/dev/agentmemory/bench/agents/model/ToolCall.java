package dev.agentmemory.bench.agents.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/// A call of a tool that the model asks for.
///
/// @param namespace of Codex's tools of an MCP server; "" for none
/// @param input a JSON object
public record ToolCall(String namespace, String tool, String input) {

  private static final ObjectMapper JSON = new ObjectMapper();

  /// A call with arguments in pairs of name and value.
  public static ToolCall of(String tool, String... arguments) {
    ObjectNode input = JSON.createObjectNode();
    for (int i = 0; i < arguments.length; i += 2) {
      input.put(arguments[i], arguments[i + 1]);
    }
    return new ToolCall("", tool, input.toString());
  }

  /// With one more argument.
  public ToolCall with(String name, boolean value) {
    try {
      ObjectNode all = (ObjectNode) JSON.readTree(input);
      return new ToolCall(namespace, tool, all.put(name, value).toString());
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("no JSON object: " + input, e);
    }
  }

  /// The arguments.
  JsonNode arguments() {
    try {
      return JSON.readTree(input);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("no JSON: " + input, e);
    }
  }

  public ToolCall in(String otherNamespace) {
    return new ToolCall(otherNamespace, tool, input);
  }
}
