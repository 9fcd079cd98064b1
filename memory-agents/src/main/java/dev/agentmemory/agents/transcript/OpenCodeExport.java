package dev.agentmemory.agents.transcript;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentmemory.agents.Agent;
import dev.agentmemory.agents.event.AgentMetadata;
import dev.agentmemory.agents.internal.OpenCodeMessages;
import dev.agentmemory.agents.internal.PayloadFields;
import dev.agentmemory.agents.internal.Subsession;
import dev.agentmemory.agents.internal.TurnContext;
import dev.agentmemory.agents.internal.TurnEvents;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.SessionId;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;

/// A session of OpenCode as `opencode export` prints it (`{info, messages[{info, parts}]}`), or the
/// rows of its database as JSON (`{session[], message[], part[]}`). Its store is an SQLite file,
/// for which this program has no reader.
final class OpenCodeExport implements TranscriptFormat {

  private final WholeDocument document = new WholeDocument(Agent.OPENCODE);

  @Override
  public TranscriptPart read(TranscriptSource from) throws IOException {
    return document.read(
        from,
        (all, reading) -> {
          if (all.has("session") && all.has("message")) {
            all.node("session").forEach(one -> rows(PayloadFields.of(one), all, reading));
          } else {
            session(all.at("info"), all.node("messages"), reading);
          }
        });
  }

  private static void session(PayloadFields info, JsonNode messages, TranscriptReading reading) {
    SessionId session = Subsession.session(info.text("id")).orElse(null);
    if (session == null) {
      reading.skip("no-session");
      return;
    }
    reading.state.directory = info.text("directory");
    Instant time = OpenCodeMessages.created(info).orElseGet(() -> reading.time(info));
    TurnContext at = reading.context(session, time, 0);
    String parent = OpenCodeMessages.parent(info);
    reading.add(
        TurnEvents.border(
            at,
            reading.ids.start(session, ""),
            EventType.SESSION_START,
            Map.of(
                AgentMetadata.PARENT,
                parent,
                AgentMetadata.REASON,
                parent.isEmpty() ? "startup" : "subagent")));
    OpenCodeMessages.events(at, reading.ids, info, messages, reading::isUnrecorded)
        .forEach(reading::add);
  }

  /// The same form from rows, whose `data` holds JSON.
  private static void rows(PayloadFields session, PayloadFields all, TranscriptReading reading) {
    ArrayNode messages = PayloadFields.JSON.createArrayNode();
    for (JsonNode row : all.node("message")) {
      if (row.path("session_id").asText().equals(session.text("id"))) {
        ObjectNode message = messages.addObject();
        String id = row.path("id").asText();
        message.set("info", data(row, id));
        ArrayNode parts = message.putArray("parts");
        for (JsonNode part : all.node("part")) {
          if (part.path("message_id").asText().equals(id)) {
            parts.add(data(part, part.path("id").asText()));
          }
        }
      }
    }
    session(session, messages, reading);
  }

  private static JsonNode data(JsonNode row, String id) {
    JsonNode data = row.path("data");
    try {
      JsonNode read = data.isTextual() ? PayloadFields.JSON.readTree(data.asText()) : data;
      return read instanceof ObjectNode object ? object.put("id", id) : read;
    } catch (JsonProcessingException e) {
      return PayloadFields.JSON.createObjectNode();
    }
  }
}
