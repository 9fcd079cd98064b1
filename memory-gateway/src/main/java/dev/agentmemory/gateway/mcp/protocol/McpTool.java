package dev.agentmemory.gateway.mcp.protocol;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/// A tool of a server.
///
/// @param declaration its title, description, schema of arguments and annotations, as `tools/list`
///   shows them after the name
/// @param handler of `tools/call`; the arguments are the parameter `arguments`
public record McpTool(String name, Map<String, Object> declaration, McpMethod.Handler handler) {

  public McpTool {
    // The order stays: clients compare lists byte by byte.
    declaration = Collections.unmodifiableMap(new LinkedHashMap<>(declaration));
  }

  Map<String, Object> listed() {
    var all = new LinkedHashMap<String, Object>();
    all.put("name", name);
    all.putAll(declaration);
    return all;
  }
}
