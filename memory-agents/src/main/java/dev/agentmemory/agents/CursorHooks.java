package dev.agentmemory.agents;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentmemory.agents.HookCapture.Moment;
import dev.agentmemory.agents.event.Origin;
import dev.agentmemory.agents.internal.PayloadFields;
import dev.agentmemory.agents.internal.Subsession;
import dev.agentmemory.agents.internal.ToolTexts;
import dev.agentmemory.agents.internal.ToolTurn;
import dev.agentmemory.agents.internal.TurnScopes;
import dev.agentmemory.types.SessionId;
import java.util.Locale;
import java.util.Optional;

/// Payloads of Cursor, by its documentation. Its transcripts name no ids of turns, so the words and
/// the conversation identify them.
final class CursorHooks {

  private CursorHooks() {}

  static void read(HookCall call) {
    PayloadFields fields = call.fields();
    JsonNode root = fields.node("workspace_roots").path(0);
    if (root.isTextual() && fields.text("cwd").isEmpty()) {
      call.directory(root.asText());
    }
    call.turn("");
    switch (call.event().toLowerCase(Locale.ROOT)) {
      case "sessionstart" -> call.start(fields.text("source", "composer_mode"), false);
      case "beforesubmitprompt", "userpromptsubmit" ->
          call.prompt(fields.text("prompt"), Origin.PERSON);
      case "afteragentresponse" -> {
        call.moment(Moment.TURN_END);
        call.answer(fields.text("text"));
      }
      case "posttooluse" -> tool(call, false);
      case "posttoolusefailure" -> tool(call, true);
      case "stop" -> call.moment(Moment.TURN_END);
      case "subagentstart" -> {
        call.moment(Moment.SUBAGENT);
        Optional<SessionId> parent =
            Subsession.session(fields.text("parent_conversation_id", "conversation_id"));
        Subsession.session(fields.text("subagent_id"))
            .ifPresent(child -> {
              call.session(child.value());
              parent.ifPresent(call::subagentStart);
            });
      }
      case "subagentstop" -> subagentStop(call);
      case "precompact" -> call.moment(Moment.COMPACTION);
      case "sessionend" -> call.end(fields.text("reason"));
      case "pretooluse",
          "beforeshellexecution",
          "aftershellexecution",
          "beforemcpexecution",
          "aftermcpexecution",
          "beforereadfile",
          "afterfileedit" ->
          call.moment(Moment.TOOL);
      case "afteragentthought" -> call.moment(Moment.OTHER);
      default -> call.unknown();
    }
  }

  /// The end names the transcript of the subagent, and that is named for its conversation.
  private static void subagentStop(HookCall call) {
    PayloadFields fields = call.fields();
    String transcript = fields.text("agent_transcript_path");
    String name = transcript.replaceFirst(".*/", "").replaceFirst("\\.[^.]*$", "");
    call.moment(Moment.SUBAGENT);
    Optional<SessionId> parent =
        Subsession.session(fields.text("parent_conversation_id", "conversation_id"));
    Subsession.session(fields.text("subagent_id").isEmpty() ? name : fields.text("subagent_id"))
        .ifPresent(child -> {
          call.session(child.value());
          call.transcript(transcript);
          parent.ifPresent(session -> call.subagentStop(session, fields.text("summary")));
        });
  }

  private static void tool(HookCall call, boolean failed) {
    PayloadFields fields = call.fields();
    String name = fields.text("tool_name");
    String use = fields.text("tool_use_id");
    JsonNode input = fields.node("tool_input");
    JsonNode result =
        fields.node("tool_output", "tool_response", "result_json", "error_message", "error");
    call.tool(
        TurnScopes.toolWithin(call.ids(), call.scope(), use, name, input),
        ToolTurn.of(name, use, input, ToolTexts.result(result), failed));
  }
}
