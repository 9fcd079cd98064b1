package dev.agentmemory.gateway.mcp.protocol;

import java.util.List;
import java.util.Map;

/// The resources of a server.
///
/// @param listed as `resources/list` shows them
/// @param templates as `resources/templates/list` shows them
/// @param read handler of `resources/read`
public record McpResources(
    List<Map<String, Object>> listed, List<Map<String, Object>> templates, McpMethod.Handler read) {

  public McpResources {
    listed = List.copyOf(listed);
    templates = List.copyOf(templates);
  }
}
