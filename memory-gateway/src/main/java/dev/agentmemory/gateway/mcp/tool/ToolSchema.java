package dev.agentmemory.gateway.mcp.tool;

import dev.agentmemory.gateway.mcp.protocol.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Declares the arguments of a tool. It is short on purpose: every session of every agent pays for
/// it.
final class ToolSchema {

  private final Map<String, Object> properties = new LinkedHashMap<>();
  private List<String> required = List.of();

  /// An argument.
  ///
  /// @param type of JSON
  /// @param description "" if the name says it all
  ToolSchema with(String name, String type, String description) {
    properties.put(
        name,
        description.isEmpty()
            ? Json.object("type", type)
            : Json.object("type", type, "description", description));
    return this;
  }

  ToolSchema texts(String name, String description) {
    Map<String, Object> items = Json.object("type", "string");
    properties.put(
        name,
        description.isEmpty()
            ? Json.object("type", "array", "items", items)
            : Json.object("type", "array", "items", items, "description", description));
    return this;
  }

  ToolSchema choice(String name, String... words) {
    properties.put(name, Json.object("type", "string", "enum", List.of(words)));
    return this;
  }

  /// An argument that takes any JSON.
  ToolSchema any(String name, String description) {
    properties.put(name, Json.object("description", description));
    return this;
  }

  ToolSchema required(String... names) {
    required = List.of(names);
    return this;
  }

  /// What answers that are handed out within a budget take.
  ToolSchema answers() {
    return with("budget_tokens", "integer", "").choice("format", "text", "json");
  }

  Set<String> names() {
    return Set.copyOf(properties.keySet());
  }

  Map<String, Object> declared() {
    var schema = new LinkedHashMap<String, Object>();
    schema.put("type", "object");
    schema.put("properties", Map.copyOf(properties).isEmpty() ? Map.of() : properties);
    if (!required.isEmpty()) {
      schema.put("required", required);
    }
    return schema;
  }
}
