package dev.agentmemory.agents.transcript;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentmemory.agents.Agent;
import dev.agentmemory.agents.event.Origin;
import dev.agentmemory.agents.internal.CapturedText;
import dev.agentmemory.agents.internal.PayloadFields;
import dev.agentmemory.agents.internal.Subsession;
import dev.agentmemory.agents.internal.TurnContext;
import dev.agentmemory.agents.internal.TurnEvents;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.SessionId;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Transcripts of Cursor, known from documents only: lines `{role, message{content[{type, text}]}}`
/// without times and ids; the file is named after the conversation. Results of tools are not in
/// them.
final class CursorTranscript extends LineFormat {

  /// What Cursor puts around the words of a person.
  private static final Pattern QUERY = Pattern.compile("(?s)<user_query>(.*?)</user_query>");

  CursorTranscript() {
    super(Agent.CURSOR);
  }

  @Override
  void line(PayloadFields line, TranscriptReading reading) {
    String name = String.valueOf(reading.file.getFileName()).replaceFirst("\\.[^.]*$", "");
    Optional<SessionId> session =
        Subsession.session(line.has("conversation_id") ? line.text("conversation_id") : name);
    String role = line.text("role", "type");
    if (session.isEmpty() || !(role.equals("user") || role.equals("assistant"))) {
      reading.skip(role);
      return;
    }
    directory(line, reading);
    TurnContext at = reading.context(session.get(), reading.time(line), 0);
    String parent = parent(reading.file);
    reading.start(at, parent.isEmpty() ? "startup" : "subagent", parent);
    Origin origin = parent.isEmpty() ? Origin.PERSON : Origin.AGENT;
    said(role, text(line), at, line.text("id", "uuid"), origin, reading);
  }

  /// Transcripts of subagents lie in the folder `subagents` of their parent's.
  private static String parent(Path file) {
    Path folder = file.getParent();
    Path above = folder == null ? null : folder.getParent();
    return folder != null && above != null && folder.endsWith("subagents")
        ? String.valueOf(above.getFileName())
        : "";
  }

  private static void directory(PayloadFields line, TranscriptReading reading) {
    String directory = line.text("cwd");
    if (!directory.isEmpty() && Path.of(directory.replace('\0', ' ')).isAbsolute()) {
      reading.state.directory = directory;
    }
  }

  private static void said(
      String role,
      String text,
      TurnContext at,
      String id,
      Origin origin,
      TranscriptReading reading) {
    String said = CapturedText.said(text);
    String line = id.isEmpty() ? at.session().value() + ' ' + at.position() : id;
    if (said.isEmpty()) {
      reading.skip(role + ".empty");
    } else if (role.equals("user")) {
      EventId words = reading.ids.prompt(at.session().value(), said);
      TurnEvents.prompt(at, reading.said(words, line), said, origin).ifPresent(reading::add);
    } else {
      EventId words = reading.ids.answer(at.session().value(), said);
      TurnEvents.answer(at, reading.said(words, line), said).ifPresent(reading::add);
    }
  }

  private static String text(PayloadFields line) {
    JsonNode content =
        line.has("content") ? line.node("content") : line.at("message").node("content");
    if (content.isTextual()) {
      return query(content.asText());
    }
    List<String> texts = new ArrayList<>();
    content.forEach(part -> {
      if (part.path("type").asText().equals("text")) {
        texts.add(query(part.path("text").asText()));
      }
    });
    return String.join("\n", texts);
  }

  private static String query(String text) {
    Matcher query = QUERY.matcher(text);
    return query.find() ? query.group(1) : text;
  }
}
