package dev.agentmemory.agents;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentmemory.agents.HookCapture.Moment;
import dev.agentmemory.agents.event.AgentMetadata;
import dev.agentmemory.agents.internal.OpenCodeMessages;
import dev.agentmemory.agents.internal.OpenCodeParts;
import dev.agentmemory.agents.internal.PayloadFields;
import dev.agentmemory.agents.internal.Subsession;
import dev.agentmemory.agents.internal.ToolTexts;
import dev.agentmemory.agents.internal.ToolTurn;
import dev.agentmemory.agents.internal.TurnEvents;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.SessionId;
import java.util.Map;
import java.util.Optional;

/// What a plugin of OpenCode passes on: the two arguments of a hook as `i` and `o` (or `input` and
/// `output`), or an event of its bus with `type` and `properties`.
final class OpenCodeHooks {

  private OpenCodeHooks() {}

  static void read(HookCall call) {
    PayloadFields in = call.fields().at("i", "input");
    PayloadFields out = call.fields().at("o", "output");
    PayloadFields properties = call.fields().at("properties");
    String name = call.event().startsWith("event.") ? call.event().substring(6) : call.event();
    if (name.equals("event")) {
      name = call.fields().text("type");
    }
    session(call, in, out, properties);
    switch (name) {
      case "chat.message" -> prompt(call, out, properties.at("info"));
      case "tool.execute.after" -> tool(call, in, out);
      case "message.part.updated" -> part(call, properties.at("part"));
      case "session.created" -> start(call, properties.at("info"));
      case "session.idle" -> turn(call);
      case "session.compacted", "experimental.session.compacting" -> call.moment(Moment.COMPACTION);
      case "session.deleted" -> call.end("deleted");
      case "tool.execute.before" -> {
        call.moment(Moment.TOOL);
        call.toolUse(in.text("callID"));
      }
      case "system.transform", "experimental.chat.system.transform" ->
          call.moment(Moment.SESSION_START);
      case "init",
          "chat.params",
          "messages.transform",
          "experimental.chat.messages.transform",
          "message.part.delta",
          "message.part.removed",
          "message.updated",
          "message.removed",
          "session.updated",
          "session.status",
          "session.diff",
          "session.error" ->
          call.moment(Moment.OTHER);
      default -> call.unknown();
    }
  }

  private static void session(
      HookCall call, PayloadFields in, PayloadFields out, PayloadFields properties) {
    for (PayloadFields place :
        new PayloadFields[] {
          call.fields(), in, properties, properties.at("part"), out.at("message")
        }) {
      String id = place.text("sessionID", "session_id", "sessionId");
      if (!id.isEmpty()) {
        call.session(id);
        break;
      }
    }
    String directory = properties.at("info").text("directory");
    if (!directory.isEmpty()) {
      call.directory(directory);
    }
  }

  /// @param info what the plugin adds about the session
  private static void prompt(HookCall call, PayloadFields out, PayloadFields info) {
    call.turn(out.at("message").text("id"));
    if (out.at("message").text("role").equals("assistant")) {
      return;
    }
    call.prompt(OpenCodeParts.prompt(out.node("parts")), OpenCodeMessages.origin(info));
  }

  private static void tool(HookCall call, PayloadFields in, PayloadFields out) {
    JsonNode exit = out.at("metadata").node("exit");
    tool(
        call,
        ToolTurn.of(
            in.text("tool"),
            in.text("callID"),
            in.node("args"),
            ToolTexts.result(out.node("output")),
            exit.isInt() && exit.asInt() != 0));
  }

  private static void tool(HookCall call, ToolTurn tool) {
    String session = call.context().map(at -> at.session().value()).orElse("");
    call.tool(call.ids().tool(session, tool.use()), tool);
  }

  private static void part(HookCall call, PayloadFields part) {
    OpenCodeParts.tool(part, call.unrecorded()).ifPresent(done -> tool(call, done));
    if (OpenCodeParts.isAnswer(part)) {
      call.context()
          .ifPresent(at -> OpenCodeParts.answer(at, call.ids(), part).ifPresent(call::add));
    }
  }

  /// The plugin adds the messages of the turn, and what the agent says of the session.
  private static void turn(HookCall call) {
    call.moment(Moment.TURN_END);
    call.context()
        .ifPresent(at ->
            OpenCodeMessages.events(
                    at,
                    call.ids(),
                    call.fields().at("properties").at("info"),
                    call.fields().node("messages"),
                    call.unrecorded())
                .forEach(call::add));
  }

  private static void start(HookCall call, PayloadFields info) {
    call.moment(Moment.SESSION_START);
    Optional<SessionId> parent = Subsession.session(OpenCodeMessages.parent(info));
    if (parent.isEmpty()) {
      call.start("startup", false);
      return;
    }
    call.context()
        .ifPresent(child -> {
          call.add(TurnEvents.childStart(child, call.ids(), parent.get()));
          call.add(
              TurnEvents.border(
                  child.at(parent.get()),
                  call.ids().subagentStart(child.session()),
                  EventType.SUBAGENT_START,
                  Map.of(AgentMetadata.CHILD, child.session().value())));
        });
  }
}
