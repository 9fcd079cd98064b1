package dev.agentmemory.agents;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentmemory.agents.HookCapture.Moment;
import dev.agentmemory.agents.event.Origin;
import dev.agentmemory.agents.internal.PayloadFields;
import dev.agentmemory.agents.internal.ToolTexts;
import dev.agentmemory.agents.internal.ToolTurn;
import dev.agentmemory.agents.internal.TurnScopes;

/// Payloads of Gemini CLI. A prompt contains what hooks gave as context; calls of tools have no
/// ids.
final class GeminiHooks {

  private GeminiHooks() {}

  static void read(HookCall call) {
    PayloadFields fields = call.fields();
    switch (call.event()) {
      case "SessionStart" -> {
        String source = fields.text("source");
        call.start(source, source.equals("resume"));
      }
      case "BeforeAgent" -> call.prompt(fields.text("prompt"), Origin.PERSON);
      case "AfterAgent" -> answer(call);
      case "AfterTool" -> tool(call, fields);
      case "BeforeTool" -> call.moment(Moment.TOOL);
      case "SessionEnd" -> call.end(fields.text("reason"));
      case "PreCompress", "BeforeModel", "AfterModel", "BeforeToolSelection", "Notification" ->
          call.moment(Moment.OTHER);
      default -> call.unknown();
    }
  }

  /// All texts of the turn in one, so it would be another event than those of the transcript.
  private static void answer(HookCall call) {
    call.moment(Moment.TURN_END);
    if (!call.hasTranscript()) {
      call.answer(call.fields().text("prompt_response"));
    }
  }

  private static void tool(HookCall call, PayloadFields fields) {
    String name = fields.text("tool_name");
    JsonNode input = fields.node("tool_input");
    PayloadFields response = fields.at("tool_response");
    boolean failed = response.has("error");
    JsonNode result = failed ? response.at("error").node("message") : fields.node("tool_response");
    call.tool(
        TurnScopes.toolWithin(call.ids(), call.scope(), "", name, input),
        ToolTurn.of(name, "", input, ToolTexts.result(result), failed));
  }
}
