package dev.agentmemory.agents.transcript;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentmemory.agents.Agent;
import dev.agentmemory.agents.event.Origin;
import dev.agentmemory.agents.internal.CapturedText;
import dev.agentmemory.agents.internal.PayloadFields;
import dev.agentmemory.agents.internal.Subsession;
import dev.agentmemory.agents.internal.ToolTexts;
import dev.agentmemory.agents.internal.ToolTurn;
import dev.agentmemory.agents.internal.TurnContext;
import dev.agentmemory.agents.internal.TurnEvents;
import dev.agentmemory.agents.internal.TurnScopes;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.SessionId;
import java.nio.file.Path;
import java.util.Optional;

/// Sessions of Copilot CLI. `content` of a message is a person's; `transformedContent` has injected
/// text in it and is not read.
final class CopilotTranscript extends LineFormat {

  CopilotTranscript() {
    super(Agent.COPILOT);
  }

  @Override
  void line(PayloadFields line, TranscriptReading reading) {
    PayloadFields data = line.at("data");
    String type = line.text("type");
    if (type.equals("session.start")) {
      start(line, data, reading);
      return;
    }
    Optional<SessionId> session = session(reading);
    if (session.isEmpty()) {
      reading.skip("no-session");
      return;
    }
    TurnContext at = reading.context(session.get(), reading.time(line), 0);
    switch (type) {
      case "user.message" -> user(line, data, at, reading);
      case "assistant.message" -> answer(line, data, at, reading);
      case "tool.execution_start" ->
          reading.call(
              data.text("toolCallId"),
              data.text("toolName"),
              ToolTexts.input(data.node("arguments")));
      case "tool.execution_complete" -> tool(data, at, reading);
      case "session.compaction_complete" ->
          TurnEvents.compaction(
                  at,
                  reading.ids.line(line.text("id")),
                  CapturedText.said(data.text("summaryContent", "summary")))
              .ifPresent(reading::add);
      default -> reading.skip(type);
    }
  }

  /// A part of a transcript has no beginning; then the folder names the session.
  private static Optional<SessionId> session(TranscriptReading reading) {
    if (!reading.state.session.isEmpty()) {
      return Subsession.session(reading.state.session);
    }
    Path folder = reading.file.toAbsolutePath().getParent();
    return folder == null || folder.getFileName() == null
        ? Optional.empty()
        : Subsession.session(folder.getFileName().toString());
  }

  private static void start(PayloadFields line, PayloadFields data, TranscriptReading reading) {
    String directory = data.at("context").text("cwd");
    if (!directory.isEmpty()) {
      reading.state.directory = directory;
    }
    Subsession.session(data.text("sessionId"))
        .ifPresent(id -> reading.start(reading.context(id, reading.time(line), 0), "startup"));
  }

  private static void user(
      PayloadFields line, PayloadFields data, TurnContext at, TranscriptReading reading) {
    String said = CapturedText.said(data.text("content"));
    if (said.isEmpty()) {
      reading.skip("user.message.empty");
      return;
    }
    EventId id = reading.ids.prompt(at.session().value(), said);
    Origin origin = origin(data.text("source"));
    TurnEvents.prompt(at, reading.said(id, line.text("id")), said, origin).ifPresent(reading::add);
  }

  private static Origin origin(String source) {
    if (source.startsWith("agent-")) {
      return Origin.AGENT;
    }
    return source.isEmpty() || source.equals("user") ? Origin.PERSON : Origin.PROGRAM;
  }

  private static void answer(
      PayloadFields line, PayloadFields data, TurnContext at, TranscriptReading reading) {
    String said = CapturedText.said(data.text("content"));
    if (!said.isEmpty()) {
      EventId id = reading.ids.answer(at.session().value(), said);
      TurnEvents.answer(at, reading.said(id, line.text("id")), said).ifPresent(reading::add);
    }
  }

  private static void tool(PayloadFields data, TurnContext at, TranscriptReading reading) {
    String use = data.text("toolCallId");
    TranscriptState.PendingTool call = reading.state.result(use);
    JsonNode input =
        PayloadFields.parse(call.input())
            .map(PayloadFields::node)
            .orElse(PayloadFields.JSON.getNodeFactory().textNode(call.input()));
    EventId byInput = TurnScopes.toolWithin(reading.ids, at.session().value(), "", "", input);
    boolean failed = data.has("success") && !data.flag("success");
    String result = ToolTexts.result(data.node("result", "error"));
    reading.add(
        TurnEvents.tool(
            at,
            reading.result(byInput, use, call.paused()),
            new ToolTurn(call.name(), use, call.input(), CapturedText.returned(result), failed)));
  }
}
