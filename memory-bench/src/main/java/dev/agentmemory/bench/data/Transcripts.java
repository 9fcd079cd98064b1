package dev.agentmemory.bench.data;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.SessionId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// The texts in session logs of a coding agent: questions, answers and tool results. Reasoning,
/// tool calls, images and metadata are skipped.
public final class Transcripts {

  private static final ObjectMapper JSON = new ObjectMapper();

  private Transcripts() {}

  /// @param folder with files `*.jsonl.gz`, one session each
  public static List<Event> read(Path folder) throws IOException {
    var events = new ArrayList<Event>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".jsonl.gz")).sorted().toList()) {
        readSession(file, events);
      }
    }
    return events;
  }

  private static void readSession(Path file, List<Event> events) throws IOException {
    try (var lines = EventFiles.lines(file)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        try {
          readLine(JSON.readTree(line), events);
        } catch (JsonProcessingException e) {
          // A log may end in the middle of a line.
        }
      }
    }
  }

  private static void readLine(JsonNode line, List<Event> events) {
    JsonNode content = line.path("message").path("content");
    if (!line.has("timestamp") || !line.has("sessionId")) {
      return;
    }
    boolean user = line.path("type").asText().equals("user");
    EventType said = user ? EventType.USER_MESSAGE : EventType.ASSISTANT_MESSAGE;
    if (content.isTextual()) {
      add(line, said, content.asText(), events);
    }
    for (JsonNode part : content) {
      switch (part.path("type").asText()) {
        case "text" -> add(line, said, part.path("text").asText(), events);
        case "tool_result" -> add(line, EventType.TOOL_RESULT, result(part), events);
        default -> {
          // Skipped on purpose.
        }
      }
    }
  }

  private static String result(JsonNode part) {
    JsonNode content = part.path("content");
    if (content.isTextual()) {
      return content.asText();
    }
    var text = new StringBuilder();
    content.forEach(piece -> text.append(piece.path("text").asText()));
    return text.toString();
  }

  private static void add(JsonNode line, EventType type, String text, List<Event> events) {
    if (text.isBlank()) {
      return;
    }
    EventRole role =
        switch (type) {
          case USER_MESSAGE -> EventRole.USER;
          case TOOL_RESULT -> EventRole.TOOL;
          case ASSISTANT_MESSAGE,
              SESSION_START,
              ASSISTANT_STOP,
              SUBAGENT_START,
              SUBAGENT_STOP,
              SESSION_END ->
              EventRole.ASSISTANT;
        };
    var session = new SessionId(line.path("sessionId").asText());
    Instant time = Instant.parse(line.path("timestamp").asText());
    events.add(PlainEvents.of(session, time, type, role, text));
  }
}
