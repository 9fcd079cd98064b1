package dev.agentmemory.gateway.mcp.protocol;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;

/// What a server offers, the same for all revisions.
///
/// @param instructions what a model is told of the server, in each of its sessions
/// @param capabilities as they are declared
/// @param methods by name
/// @param tools by name; their schemas say which arguments headers repeat
public record McpFeatures(
    String name,
    String title,
    String version,
    String instructions,
    Map<String, Object> capabilities,
    Map<String, McpMethod> methods,
    Map<String, McpTool> tools) {

  static final String CALL = "tools/call";

  public McpFeatures {
    capabilities = Collections.unmodifiableMap(new LinkedHashMap<>(capabilities));
    methods = Map.copyOf(methods);
    tools = Map.copyOf(tools);
  }

  /// Tools and resources, and no prompts. No list ever changes, and none says that it could:
  /// clients would ask for it again and again.
  ///
  /// @param tools in the order of the list
  public static McpFeatures of(
      Identity identity, String instructions, List<McpTool> tools, McpResources resources) {
    var capabilities = new LinkedHashMap<String, Object>();
    capabilities.put("tools", Map.of());
    capabilities.put("resources", Map.of());
    capabilities.put("prompts", Map.of());
    SequencedMap<String, McpTool> byName =
        tools.stream()
            .collect(
                Collectors.toMap(
                    McpTool::name, Function.identity(), (_, later) -> later, LinkedHashMap::new));
    var methods = new LinkedHashMap<String, McpMethod>();
    methods.put(
        "tools/list", fixed("tools", byName.values().stream().map(McpTool::listed).toList()));
    methods.put(CALL, McpMethod.named("name", false, request -> call(byName, request)));
    methods.put("resources/list", fixed("resources", resources.listed()));
    methods.put("resources/templates/list", fixed("resourceTemplates", resources.templates()));
    methods.put("resources/read", McpMethod.named("uri", true, resources.read()));
    methods.put("prompts/list", fixed("prompts", List.of()));
    return new McpFeatures(
        identity.name(),
        identity.title(),
        identity.version(),
        instructions,
        capabilities,
        methods,
        byName);
  }

  /// The same with further methods, or with others of the same name.
  public McpFeatures with(Map<String, Object> declared, Map<String, McpMethod> further) {
    var allCapabilities = new LinkedHashMap<>(capabilities);
    allCapabilities.putAll(declared);
    var all = new LinkedHashMap<>(methods);
    all.putAll(further);
    return new McpFeatures(name, title, version, instructions, allCapabilities, all, tools);
  }

  private static McpMethod fixed(String field, List<Map<String, Object>> items) {
    Map<String, Object> result = Map.of(field, items);
    return McpMethod.list(_ -> new McpOutcome.Result(result).now());
  }

  private static CompletableFuture<McpOutcome> call(
      Map<String, McpTool> tools, McpRequest request) {
    Optional<String> name = request.text("name");
    if (name.isEmpty()) {
      return new McpOutcome.Refusal(
              McpError.invalidParams("name is missing; it names the tool to call"))
          .now();
    }
    McpTool tool = tools.get(name.get());
    if (tool == null) {
      String known = tools.keySet().stream().collect(Collectors.joining(", "));
      return new McpOutcome.Refusal(
              McpError.invalidParams("name: there is no tool " + name.get() + "; use " + known))
          .now();
    }
    return tool.handler().handle(request);
  }

  /// What clients are told of the program.
  Map<String, Object> info() {
    var info = new LinkedHashMap<String, Object>();
    info.put("name", name);
    info.put("title", title);
    info.put("version", version);
    return info;
  }

  /// Who a server is.
  ///
  /// @param title for people
  public record Identity(String name, String title, String version) {}
}
