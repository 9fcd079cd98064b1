package dev.agentmemory.agents.transcript;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentmemory.agents.Agent;
import dev.agentmemory.agents.event.AgentMetadata;
import dev.agentmemory.agents.event.Origin;
import dev.agentmemory.agents.internal.CapturedText;
import dev.agentmemory.agents.internal.PayloadFields;
import dev.agentmemory.agents.internal.Subsession;
import dev.agentmemory.agents.internal.ToolTexts;
import dev.agentmemory.agents.internal.ToolTurn;
import dev.agentmemory.agents.internal.TurnContext;
import dev.agentmemory.agents.internal.TurnEvents;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Rollouts of Codex. Each text is in them twice, as an item of a response and as a message of the
/// interface; the first of the two is read.
final class CodexTranscript extends LineFormat {

  /// What the interface puts before the output of a command.
  private static final Pattern OUTPUT =
      Pattern.compile("(?s)\\A(?:Chunk ID|Wall time|Exit code|Process exited).*?\\nOutput:\\n");

  private static final Pattern EXIT =
      Pattern.compile("(?m)^(?:Process exited with code|Exit code:) (-?\\d+)");

  CodexTranscript() {
    super(Agent.CODEX);
  }

  @Override
  void line(PayloadFields line, TranscriptReading reading) {
    PayloadFields payload = line.at("payload");
    String type = line.text("type");
    String kind = payload.text("type");
    Instant time = reading.time(line);
    switch (type) {
      case "session_meta" -> meta(payload, time, reading);
      case "turn_context" -> context(payload, reading);
      case "response_item" -> item(payload, kind, time, line, reading);
      case "compacted" -> compacted(payload, time, line, reading);
      case "event_msg" -> {
        if (kind.equals("task_started")) {
          reading.state.turn = payload.text("turn_id");
        }
        reading.skip(type + "." + kind);
      }
      default -> reading.skip(type);
    }
  }

  /// A fork begins with its own description, and the one of its parent follows.
  private static void meta(PayloadFields payload, Instant time, TranscriptReading reading) {
    context(payload, reading);
    Optional<SessionId> session = Subsession.session(payload.text("id", "session_id"));
    if (session.isEmpty() || !reading.state.session.isEmpty()) {
      reading.skip("session_meta");
      return;
    }
    reading.state.session = session.get().value();
    String spawned =
        payload.text("parent_thread_id").isEmpty()
            ? payload.at("source").at("subagent").at("thread_spawn").text("parent_thread_id")
            : payload.text("parent_thread_id");
    reading.state.parent = spawned;
    String parent =
        spawned.isEmpty()
            ? payload.text("forked_from_id", "parent_session_id", "parent_id")
            : spawned;
    reading.add(
        TurnEvents.border(
            reading.context(session.get(), time, 0),
            reading.ids.start(session.get(), ""),
            EventType.SESSION_START,
            Map.of(
                AgentMetadata.PARENT,
                parent,
                AgentMetadata.REASON,
                parent.isEmpty() ? "startup" : spawned.isEmpty() ? "fork" : "subagent")));
  }

  private static void context(PayloadFields payload, TranscriptReading reading) {
    if (!payload.text("cwd").isEmpty()) {
      reading.state.directory = payload.text("cwd");
    }
    if (!payload.text("turn_id").isEmpty()) {
      reading.state.turn = payload.text("turn_id");
    }
  }

  private static void item(
      PayloadFields payload,
      String kind,
      Instant time,
      PayloadFields line,
      TranscriptReading reading) {
    Optional<SessionId> session = session(reading);
    if (session.isEmpty()) {
      reading.skip("no-session");
      return;
    }
    PayloadFields passed = payload.at("internal_chat_message_metadata_passthrough");
    if (!passed.text("turn_id").isEmpty()) {
      reading.state.turn = passed.text("turn_id");
    }
    TurnContext at = reading.context(session.get(), time, 0);
    String scope = scope(reading);
    switch (kind) {
      case "message" -> message(payload, at, scope, id(payload, line), reading);
      case "function_call", "custom_tool_call", "local_shell_call" ->
          reading.call(
              payload.text("call_id", "id"),
              payload.text("name").isEmpty() ? "shell" : payload.text("name"),
              ToolTexts.input(payload.node("arguments", "input", "action")));
      case "function_call_output", "custom_tool_call_output" -> result(payload, at, scope, reading);
      default -> reading.skip("response_item." + kind);
    }
  }

  private static Optional<SessionId> session(TranscriptReading reading) {
    return Subsession.session(reading.state.session);
  }

  private static String scope(TranscriptReading reading) {
    return reading.state.turn.isEmpty() ? reading.state.session : reading.state.turn;
  }

  /// Old rollouts have no ids of messages.
  private static String id(PayloadFields payload, PayloadFields line) {
    String id = payload.text("id");
    return id.isEmpty() ? line.text("timestamp") : id;
  }

  private static void message(
      PayloadFields payload, TurnContext at, String scope, String id, TranscriptReading reading) {
    String said = CapturedText.said(text(payload.node("content")));
    String role = payload.text("role");
    if (role.equals("assistant")) {
      if (!said.isEmpty()) {
        TurnEvents.answer(at, reading.said(reading.ids.answer(scope, said), id), said)
            .ifPresent(reading::add);
      }
    } else if (role.equals("user") && isOfUser(payload, said)) {
      Origin origin = reading.state.parent.isEmpty() ? Origin.PERSON : Origin.AGENT;
      TurnEvents.prompt(at, reading.said(reading.ids.prompt(scope, said), id), said, origin)
          .ifPresent(reading::add);
    } else {
      reading.skip("response_item.message." + role);
    }
  }

  /// Newer versions say for each part of a message what it is.
  private static boolean isOfUser(PayloadFields payload, String said) {
    JsonNode kinds =
        payload.at("internal_chat_message_metadata_passthrough").node("content_item_kinds");
    boolean user = kinds.isMissingNode();
    for (JsonNode kind : kinds) {
      user |= kind.asText().startsWith("user.");
    }
    return user && !said.isEmpty() && !CapturedText.isOfProgram(said);
  }

  private static String text(JsonNode content) {
    if (content.isTextual()) {
      return content.asText();
    }
    List<String> texts = new ArrayList<>();
    boolean images = false;
    for (JsonNode part : content) {
      String text = PayloadFields.of(part).text("text");
      images |= PayloadFields.of(part).text("type").equals("input_image");
      if (!text.isEmpty() && !CapturedText.isOfProgram(text)) {
        texts.add(text);
      }
    }
    return texts.isEmpty() && images ? CapturedText.IMAGE : String.join("\n", texts);
  }

  private static void result(
      PayloadFields payload, TurnContext at, String scope, TranscriptReading reading) {
    String use = payload.text("call_id");
    TranscriptState.PendingTool call = reading.state.result(use);
    JsonNode output = payload.node("output");
    // Versions of 2025 wrote the output as a JSON object in a text.
    PayloadFields nested =
        output.isTextual() && output.asText().startsWith("{\"output\"")
            ? PayloadFields.parse(output.asText()).orElse(payload)
            : payload;
    String all = ToolTexts.result(nested.node("output"));
    Matcher exit = EXIT.matcher(all);
    boolean failed =
        exit.find()
            ? !exit.group(1).equals("0")
            : nested.at("metadata").node("exit_code").asInt() != 0;
    String result = CapturedText.returned(OUTPUT.matcher(all).replaceFirst(""));
    reading.add(
        TurnEvents.tool(
            at,
            reading.ids.tool(scope, use),
            new ToolTurn(call.name(), use, call.input(), result, failed)));
  }

  private static void compacted(
      PayloadFields payload, Instant time, PayloadFields line, TranscriptReading reading) {
    session(reading)
        .ifPresent(session -> {
          TurnContext at = reading.context(session, time, 0);
          TurnEvents.compaction(
                  at,
                  reading.said(reading.ids.compaction(scope(reading)), line.text("timestamp")),
                  CapturedText.said(payload.text("message", "summary")))
              .ifPresent(reading::add);
        });
  }
}
