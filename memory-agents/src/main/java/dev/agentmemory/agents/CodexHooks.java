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
import java.util.Optional;

/// Payloads of Codex. It says nowhere whether `codex exec` or a person prompted, and not whether a
/// command failed. A subagent is a thread of its own: its calls carry the session of the one that
/// started it, and its own id as `agent_id`.
final class CodexHooks {

  private CodexHooks() {}

  static void read(HookCall call) {
    PayloadFields fields = call.fields();
    Optional<SessionId> parent = Subsession.session(fields.text("session_id"));
    Optional<SessionId> subagent =
        Subsession.session(fields.text("agent_id"))
            .filter(id -> parent.isPresent() && !parent.get().equals(id));
    subagent.ifPresent(id -> call.session(id.value()));
    switch (call.event()) {
      case "SessionStart" -> {
        String source = fields.text("source");
        call.start(source, source.equals("resume"));
      }
      case "UserPromptSubmit" ->
          call.prompt(fields.text("prompt"), subagent.isPresent() ? Origin.AGENT : Origin.PERSON);
      case "PostToolUse" -> tool(call, fields);
      case "PreToolUse", "PermissionRequest" -> {
        call.moment(Moment.TOOL);
        call.toolUse(fields.text("tool_use_id"));
      }
      case "Stop" -> {
        call.moment(Moment.TURN_END);
        call.answer(fields.text("last_assistant_message"));
      }
      case "Interrupt" -> call.moment(Moment.TURN_END);
      case "SubagentStart" -> {
        call.moment(Moment.SUBAGENT);
        subagent.flatMap(_ -> parent).ifPresent(call::subagentStart);
      }
      case "SubagentStop" -> {
        call.moment(Moment.SUBAGENT);
        call.transcript(fields.text("agent_transcript_path"));
        String answer = fields.text("last_assistant_message");
        call.answer(answer);
        subagent.flatMap(_ -> parent).ifPresent(session -> call.subagentStop(session, answer));
      }
      case "PreCompact", "PostCompact" -> call.moment(Moment.COMPACTION);
      case "SessionEnd" -> call.end(fields.text("reason"));
      case "PreModelRequest", "PostModelRequest" -> call.moment(Moment.OTHER);
      default -> call.unknown();
    }
  }

  private static void tool(HookCall call, PayloadFields fields) {
    String use = fields.text("tool_use_id");
    String name = fields.text("tool_name");
    JsonNode input = fields.node("tool_input");
    call.tool(
        TurnScopes.toolWithin(call.ids(), call.scope(), use, name, input),
        ToolTurn.of(name, use, input, ToolTexts.result(fields.node("tool_response")), false));
  }
}
