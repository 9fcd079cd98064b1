package dev.agentmemory.bench.mcp;

import dev.agentmemory.gateway.mcp.protocol.Json;
import dev.agentmemory.gateway.mcp.protocol.McpError;
import dev.agentmemory.gateway.mcp.protocol.McpOutcome;
import dev.agentmemory.gateway.mcp.protocol.McpRequest;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/// The prompts of the suite's fixtures.
final class SuitePrompts {

  private SuitePrompts() {}

  static List<Map<String, Object>> listed() {
    return List.of(
        prompt("test_simple_prompt"),
        prompt("test_prompt_with_arguments", "arg1", "arg2"),
        prompt("test_prompt_with_embedded_resource", "resourceUri"),
        prompt("test_prompt_with_image"),
        prompt("test_input_required_result_prompt"));
  }

  private static Map<String, Object> prompt(String name, String... arguments) {
    List<Map<String, Object>> declared =
        Stream.of(arguments)
            .map(one -> Json.object("name", one, "description", "Fixture", "required", true))
            .toList();
    return Json.object("name", name, "description", "Fixture", "arguments", declared);
  }

  static CompletableFuture<McpOutcome> get(McpRequest request) {
    Map<String, Object> arguments = request.object("arguments");
    String name = request.text("name").orElse("");
    McpOutcome outcome =
        switch (name) {
          case "test_simple_prompt" ->
              messages(List.of(SuiteFixtures.text("This is a simple prompt for testing.")));
          case "test_prompt_with_arguments" ->
              messages(
                  List.of(
                      SuiteFixtures.text(
                          "Prompt with arguments: arg1='%s', arg2='%s'"
                              .formatted(arguments.get("arg1"), arguments.get("arg2")))));
          case "test_prompt_with_embedded_resource" ->
              messages(
                  List.of(
                      SuiteFixtures.resource(
                          String.valueOf(arguments.get("resourceUri")),
                          "text/plain",
                          "Embedded resource content for testing."),
                      SuiteFixtures.text("Please process the embedded resource above.")));
          case "test_prompt_with_image" ->
              messages(
                  List.of(
                      SuiteFixtures.image(),
                      SuiteFixtures.text("Please analyze the image above.")));
          case "test_input_required_result_prompt" ->
              SuiteInputs.answered(request, "user_context")
                  ? messages(List.of(SuiteFixtures.text("With context")))
                  : SuiteInputs.asking(
                      Json.object(
                          "user_context",
                          SuiteInputs.elicitation(
                              "What context should the prompt use?", "context", "string")),
                      "");
          default -> new McpOutcome.Refusal(McpError.invalidParams("name: no such prompt"));
        };
    return outcome.now();
  }

  private static McpOutcome messages(List<Map<String, Object>> contents) {
    return new McpOutcome.Result(
        Json.object(
            "messages",
            contents.stream()
                .map(content -> Json.object("role", "user", "content", content))
                .toList()));
  }
}
