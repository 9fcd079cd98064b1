package dev.agentmemory.agents;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentmemory.agents.HookCapture.Moment;
import dev.agentmemory.agents.event.Origin;
import dev.agentmemory.agents.internal.PayloadFields;
import dev.agentmemory.agents.internal.ToolTexts;
import dev.agentmemory.agents.internal.ToolTurn;
import dev.agentmemory.agents.internal.TurnScopes;
import java.util.Locale;

/// Payloads of Copilot CLI, in both of its forms. Names of tools differ between the two, so calls
/// are told apart by what they were called with.
final class CopilotHooks {

  private CopilotHooks() {}

  static void read(HookCall call) {
    PayloadFields fields = call.fields();
    switch (call.event().toLowerCase(Locale.ROOT)) {
      case "sessionstart" -> {
        String source = fields.text("source");
        call.start(source, source.equals("resume"));
      }
      case "userpromptsubmitted", "userpromptsubmit" -> prompt(call);
      case "posttooluse" -> tool(call, false);
      case "posttoolusefailure" -> tool(call, true);
      case "pretooluse", "permissionrequest" -> call.moment(Moment.TOOL);
      case "agentstop", "stop" -> call.moment(Moment.TURN_END);
      case "subagentstart", "subagentstop" -> call.moment(Moment.SUBAGENT);
      case "precompact" -> call.moment(Moment.COMPACTION);
      case "sessionend" -> call.end(fields.text("reason"));
      case "erroroccurred", "notification" -> call.moment(Moment.OTHER);
      default -> call.unknown();
    }
  }

  /// A subagent calls with a session of its own, but its turns are in its parent's transcript.
  private static void prompt(HookCall call) {
    String parent = call.fields().text("parentAgentId", "parent_agent_id");
    if (!parent.isEmpty()) {
      call.session(parent);
    }
    call.prompt(call.fields().text("prompt"), parent.isEmpty() ? Origin.PERSON : Origin.AGENT);
  }

  private static void tool(HookCall call, boolean failed) {
    PayloadFields fields = call.fields();
    JsonNode input = fields.node("toolArgs", "tool_input");
    JsonNode result = fields.node("toolResult", "tool_result", "tool_response", "error");
    String kind = PayloadFields.of(result).text("resultType", "result_type");
    call.tool(
        TurnScopes.toolWithin(call.ids(), call.scope(), "", "", input),
        ToolTurn.of(
            fields.text("toolName", "tool_name"),
            "",
            input,
            ToolTexts.result(result),
            failed || kind.equals("failure")));
  }
}
