package dev.agentmemory.bench.mcp;

import dev.agentmemory.gateway.mcp.protocol.Json;
import dev.agentmemory.gateway.mcp.protocol.McpError;
import dev.agentmemory.gateway.mcp.protocol.McpOutcome;
import dev.agentmemory.gateway.mcp.protocol.McpRequest;
import dev.agentmemory.gateway.mcp.protocol.McpTool;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The fixtures that ask the client for input and go on when it calls again, as revision 2026-07-28
/// has it: nothing is kept meanwhile.
final class SuiteInputs {

  private static final String RESPONSES = "inputResponses";
  private static final String STATE = "requestState";

  private SuiteInputs() {}

  static List<McpTool> tools() {
    return List.of(
        SuiteFixtures.tool(
            "test_input_required_result_elicitation",
            request ->
                answered(request, "user_name")
                    ? McpOutcome.Result.text("Hello, " + name(request) + "!", false)
                    : asking(Json.object("user_name", name()), "")),
        SuiteFixtures.tool(
            "test_input_required_result_sampling",
            request ->
                answered(request, "capital_question")
                    ? McpOutcome.Result.text(response(request, "capital_question"), false)
                    : asking(
                        Json.object("capital_question", sampling("What is the capital of France?")),
                        "")),
        SuiteFixtures.tool(
            "test_input_required_result_list_roots",
            request ->
                answered(request, "client_roots")
                    ? McpOutcome.Result.text(response(request, "client_roots"), false)
                    : asking(Json.object("client_roots", roots()), "")),
        SuiteFixtures.tool(
            "test_input_required_result_request_state", request -> confirmed(request, "state-1")),
        SuiteFixtures.tool(
            "test_input_required_result_tampered_state", request -> confirmed(request, "state-2")),
        SuiteFixtures.tool("test_input_required_result_multiple_inputs", SuiteInputs::several),
        SuiteFixtures.tool("test_input_required_result_multi_round", SuiteInputs::rounds),
        SuiteFixtures.tool("test_input_required_result_capabilities", SuiteInputs::capable));
  }

  /// Asks again with the same inputs unless the state is the one that was given out.
  private static McpOutcome confirmed(McpRequest request, String state) {
    boolean echoed = request.text(STATE).filter(state::equals).isPresent();
    if (request.params().containsKey(STATE) && !echoed) {
      return new McpOutcome.Refusal(
          McpError.invalidParams(STATE + " is not the one that was given out"));
    }
    return echoed && answered(request, "confirm")
        ? McpOutcome.Result.text("state-ok", false)
        : asking(Json.object("confirm", elicitation("Please confirm", "ok", "boolean")), state);
  }

  private static McpOutcome several(McpRequest request) {
    boolean all =
        answered(request, "user_name")
            && answered(request, "greeting")
            && answered(request, "client_roots");
    return all
        ? McpOutcome.Result.text("All inputs came.", false)
        : asking(
            Json.object(
                "user_name", name(),
                "greeting", sampling("Generate a greeting"),
                "client_roots", roots()),
            "several");
  }

  private static McpOutcome rounds(McpRequest request) {
    if (answered(request, "step2")) {
      return McpOutcome.Result.text("All rounds are done.", false);
    }
    return answered(request, "step1")
        ? asking(
            Json.object(
                "step2", elicitation("Step 2: What is your favorite color?", "color", "string")),
            "round-2")
        : asking(
            Json.object("step1", elicitation("Step 1: What is your name?", "name", "string")),
            "round-1");
  }

  private static McpOutcome capable(McpRequest request) {
    var inputs = new LinkedHashMap<String, Object>();
    if (request.clientCan("sampling")) {
      inputs.put("question", sampling("What is the capital of France?"));
    }
    if (request.clientCan("elicitation")) {
      inputs.put("user_name", name());
    }
    if (request.clientCan("roots")) {
      inputs.put("client_roots", roots());
    }
    boolean all = inputs.keySet().stream().allMatch(key -> answered(request, key));
    return all ? McpOutcome.Result.text("done", false) : asking(inputs, "");
  }

  /// @param state "" for none
  static McpOutcome asking(Map<String, Object> inputs, String state) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("resultType", "input_required");
    fields.put("inputRequests", inputs);
    if (!state.isEmpty()) {
      fields.put(STATE, state);
    }
    return new McpOutcome.Result(fields);
  }

  /// Whether an input of that name came, and is an object.
  static boolean answered(McpRequest request, String name) {
    return request.object(RESPONSES).get(name) instanceof Map;
  }

  private static String response(McpRequest request, String name) {
    Object response = request.object(RESPONSES).get(name);
    return response == null ? "" : Json.write(response);
  }

  private static String name(McpRequest request) {
    return request.object(RESPONSES).get("user_name") instanceof Map<?, ?> answer
            && answer.get("content") instanceof Map<?, ?> content
        ? String.valueOf(content.get("name"))
        : "nobody";
  }

  private static Map<String, Object> name() {
    return elicitation("What is your name?", "name", "string");
  }

  static Map<String, Object> elicitation(String message, String property, String type) {
    return Json.object(
        "method",
        "elicitation/create",
        "params",
        Json.object(
            "mode",
            "form",
            "message",
            message,
            "requestedSchema",
            Json.object(
                "type", "object",
                "properties", Json.object(property, Json.object("type", type)),
                "required", List.of(property))));
  }

  private static Map<String, Object> sampling(String question) {
    return Json.object(
        "method",
        "sampling/createMessage",
        "params",
        Json.object(
            "messages",
            List.of(Json.object("role", "user", "content", SuiteFixtures.text(question))),
            "maxTokens",
            100));
  }

  private static Map<String, Object> roots() {
    return Json.object("method", "roots/list", "params", Map.of());
  }
}
