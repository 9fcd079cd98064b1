package dev.agentmemory.agents;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentmemory.agents.HookCapture.Moment;
import dev.agentmemory.agents.event.Origin;
import dev.agentmemory.agents.internal.CapturedText;
import dev.agentmemory.agents.internal.PayloadFields;
import dev.agentmemory.agents.internal.Subsession;
import dev.agentmemory.agents.internal.ToolTexts;
import dev.agentmemory.agents.internal.ToolTurn;
import dev.agentmemory.agents.internal.TurnEvents;
import dev.agentmemory.agents.internal.TurnScopes;
import dev.agentmemory.types.SessionId;
import java.util.Optional;

/// Payloads of Claude Code. A subagent's calls carry its parent's session and an `agent_id`.
final class ClaudeHooks {

  private ClaudeHooks() {}

  static void read(HookCall call) {
    PayloadFields fields = call.fields();
    Optional<SessionId> parent = Subsession.session(fields.text("session_id"));
    String subagent = fields.text("agent_id");
    if (parent.isPresent() && !subagent.isEmpty()) {
      call.session(Subsession.of(parent.get(), subagent).value());
      call.turn(TurnScopes.ofSubagent(fields.text("prompt_id"), subagent));
    }
    switch (call.event()) {
      case "SessionStart" -> start(call, fields.text("source"));
      case "UserPromptSubmit" -> call.prompt(fields.text("prompt"), origin(call));
      case "PostToolUse", "PostToolUseFailure" ->
          tool(call, fields, call.event().endsWith("Failure"));
      case "PostToolBatch" ->
          fields.node("tool_calls").forEach(one -> tool(call, PayloadFields.of(one), false));
      case "PreToolUse", "PermissionRequest", "PermissionDenied" -> {
        call.moment(Moment.TOOL);
        call.toolUse(fields.text("tool_use_id"));
      }
      case "Stop" -> {
        call.moment(Moment.TURN_END);
        call.answer(fields.text("last_assistant_message"));
      }
      case "StopFailure" -> call.moment(Moment.TURN_END);
      case "SubagentStart" -> {
        call.moment(Moment.SUBAGENT);
        parent.ifPresent(call::subagentStart);
      }
      case "SubagentStop" -> {
        call.moment(Moment.SUBAGENT);
        call.transcript(fields.text("agent_transcript_path"));
        if (!isOfProgram(fields)) {
          String answer = fields.text("last_assistant_message");
          call.answer(answer);
          parent.ifPresent(session -> call.subagentStop(session, answer));
        }
      }
      case "PreCompact" -> call.moment(Moment.COMPACTION);
      case "PostCompact" -> compaction(call);
      case "SessionEnd" -> call.end(fields.text("reason"));
      case "Notification",
          "UserPromptExpansion",
          "MessageDisplay",
          "InstructionsLoaded",
          "PreModelSwitch",
          "PostModelSwitch",
          "Setup",
          "TeammateIdle",
          "TaskCreated",
          "TaskCompleted",
          "Elicitation",
          "ElicitationResult",
          "ConfigChange",
          "WorktreeCreate",
          "WorktreeRemove",
          "CwdChanged",
          "FileChanged",
          "DirectoryAdded" ->
          call.moment(Moment.OTHER);
      default -> call.unknown();
    }
  }

  /// The program itself asks the model in a subagent without a type, for the summary of a
  /// compaction. That one has no transcript, and the summary comes as the compaction.
  private static boolean isOfProgram(PayloadFields fields) {
    return !fields.text("agent_id").isEmpty() && fields.text("agent_type").isEmpty();
  }

  /// After a compaction the session goes on.
  private static void start(HookCall call, String source) {
    if (source.equals("compact")) {
      call.moment(Moment.RESTART);
    } else {
      call.start(source, source.equals("resume"));
    }
  }

  /// `-p` and the SDK say so in a variable only; later versions may say it in `source`.
  private static Origin origin(HookCall call) {
    String source = call.fields().text("source");
    boolean program =
        source.isEmpty()
            ? call.variable("CLAUDE_CODE_ENTRYPOINT").startsWith("sdk")
            : !source.equals("user");
    return program ? Origin.PROGRAM : Origin.PERSON;
  }

  private static void tool(HookCall call, PayloadFields fields, boolean failed) {
    JsonNode result = fields.node("tool_response", "error");
    String use = fields.text("tool_use_id");
    JsonNode input = fields.node("tool_input");
    call.tool(
        TurnScopes.tool(call.ids(), call.scope(), use, input),
        ToolTurn.of(fields.text("tool_name"), use, input, ToolTexts.result(result), failed));
  }

  private static void compaction(HookCall call) {
    call.moment(Moment.COMPACTION);
    String summary = CapturedText.said(call.fields().text("compact_summary"));
    call.context()
        .ifPresent(at ->
            TurnEvents.compaction(at, call.ids().compaction(call.scope()), summary)
                .ifPresent(call::add));
  }
}
