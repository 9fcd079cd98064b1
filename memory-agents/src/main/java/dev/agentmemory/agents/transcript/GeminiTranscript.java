package dev.agentmemory.agents.transcript;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
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
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Sessions of Gemini CLI: one JSON object per line, or one document in older versions. A later
/// line with the id of an earlier one replaces it: it has more calls of tools, or a longer text.
final class GeminiTranscript extends LineFormat {

  /// What the agent's shell writes around the output of a command; a status other than 0 is in it.
  private static final Pattern SHELL =
      Pattern.compile(
          "(?s)\\AOutput: (.*?)(?:\\nExit Code: (-?\\d+))?\\nProcess Group PGID: \\d+\\s*\\z");

  private final WholeDocument document = new WholeDocument(Agent.GEMINI);

  GeminiTranscript() {
    super(Agent.GEMINI);
  }

  @Override
  public TranscriptPart read(TranscriptSource from) throws IOException {
    return from.file().toString().endsWith(".json")
        ? document.read(from, GeminiTranscript::whole)
        : super.read(from);
  }

  private static void whole(PayloadFields session, TranscriptReading reading) {
    begin(session, reading);
    session.node("messages").forEach(one -> message(PayloadFields.of(one), reading));
  }

  @Override
  void line(PayloadFields line, TranscriptReading reading) {
    if (line.has("sessionId") && !line.has("type")) {
      begin(line, reading);
    } else if (line.has("$set")) {
      JsonNode messages = line.at("$set").node("messages");
      if (messages.isEmpty()) {
        reading.skip("$set");
      }
      messages.forEach(one -> message(PayloadFields.of(one), reading));
    } else if (line.has("$rewindTo")) {
      // What was said stays said; what is said again after it is said a second time.
      reading.skip("$rewindTo");
    } else {
      message(line, reading);
    }
  }

  private static void begin(PayloadFields session, TranscriptReading reading) {
    Subsession.session(session.text("sessionId"))
        .ifPresent(id -> {
          Instant time = session.time("startTime").orElseGet(() -> reading.time(session));
          reading.start(reading.context(id, time, 0), "startup");
        });
  }

  private static void message(PayloadFields message, TranscriptReading reading) {
    Optional<SessionId> session = Subsession.session(reading.state.session);
    if (session.isEmpty()) {
      reading.skip("no-session");
      return;
    }
    TurnContext at = reading.context(session.get(), reading.time(message), 0);
    switch (message.text("type")) {
      case "user" -> user(message, at, reading);
      case "gemini" -> answer(message, at, reading);
      default -> reading.skip(message.text("type"));
    }
  }

  private static void user(PayloadFields message, TurnContext at, TranscriptReading reading) {
    String said = CapturedText.said(text(message.node("content")));
    if (said.isEmpty() || said.startsWith("<session_context>")) {
      reading.skip("user.context");
    } else if (isNew(message, said, reading)) {
      EventId id = reading.ids.prompt(at.session().value(), said);
      Origin origin = CapturedText.isOfProgram(said) ? Origin.PROGRAM : Origin.PERSON;
      TurnEvents.prompt(at, reading.said(id, message.text("id")), said, origin)
          .ifPresent(reading::add);
    }
  }

  private static void answer(PayloadFields message, TurnContext at, TranscriptReading reading) {
    String said = CapturedText.said(text(message.node("content")));
    if (!said.isEmpty() && isNew(message, said, reading)) {
      EventId id = reading.ids.answer(at.session().value(), said);
      TurnEvents.answer(at, reading.said(id, message.text("id")), said).ifPresent(reading::add);
    }
    int index = 1;
    for (JsonNode one : message.node("toolCalls")) {
      tool(PayloadFields.of(one), at.at(at.position() + index), reading);
      index++;
    }
  }

  /// Whether a message was not read before with this text.
  private static boolean isNew(PayloadFields message, String said, TranscriptReading reading) {
    String id = message.text("id");
    return id.isEmpty() || reading.isFirst("message", id, said);
  }

  private static void tool(PayloadFields call, TurnContext at, TranscriptReading reading) {
    String status = call.text("status");
    String use = call.text("id");
    boolean done = call.has("result") || status.equals("error") || status.equals("cancelled");
    if (!done || !reading.state.seen.isFirst("call", use)) {
      return;
    }
    String name = call.text("name");
    boolean paused = reading.isPaused();
    JsonNode none = MissingNode.getInstance();
    JsonNode args = call.node("args");
    JsonNode input = reading.isUnrecorded() ? none : args;
    EventId byInput =
        TurnScopes.toolWithin(reading.ids, at.session().value(), "", name, paused ? none : args);
    String result = CapturedText.returned(result(call));
    Matcher shell = SHELL.matcher(result);
    boolean isShell = shell.matches();
    boolean failed =
        !status.equals("success")
            || (isShell && shell.group(2) != null && !shell.group(2).equals("0"));
    reading.add(
        TurnEvents.tool(
            at.at(call.time("timestamp").orElse(at.time())),
            reading.result(byInput, use, paused),
            ToolTurn.of(name, use, input, isShell ? shell.group(1) : result, failed)));
  }

  private static String result(PayloadFields call) {
    List<String> texts = new ArrayList<>();
    for (JsonNode part : call.node("result")) {
      JsonNode response = part.path("functionResponse").path("response");
      texts.add(ToolTexts.result(response.isMissingNode() ? part : response));
    }
    String all = String.join("\n", texts);
    return all.isBlank() ? ToolTexts.result(call.node("resultDisplay")) : all;
  }

  private static String text(JsonNode content) {
    if (content.isTextual()) {
      return content.asText();
    }
    List<String> texts = new ArrayList<>();
    content.forEach(part -> {
      if (part.path("text").isTextual() && !part.path("thought").asBoolean()) {
        texts.add(part.path("text").asText());
      }
    });
    return String.join("\n", texts);
  }
}
