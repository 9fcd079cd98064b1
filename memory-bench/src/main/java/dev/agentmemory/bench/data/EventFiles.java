package dev.agentmemory.bench.data;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agentmemory.client.EventIds;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.SessionId;
import java.io.BufferedReader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipFile;

/// Reads conversations from JSON lines.
public final class EventFiles {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String SAMPLE = "demo/events.jsonl";

  private EventFiles() {}

  /// The sample in the command line's jar.
  public static List<Event> sample(Path jar) throws IOException {
    try (var zip = new ZipFile(jar.toFile())) {
      var entry = zip.getEntry(SAMPLE);
      if (entry == null) {
        throw new FileNotFoundException("no " + SAMPLE + " in " + jar);
      }
      try (var lines =
          new BufferedReader(
              new InputStreamReader(zip.getInputStream(entry), StandardCharsets.UTF_8))) {
        return read(lines);
      }
    }
  }

  /// Dialogues of two speakers: every line is a message.
  public static List<Event> dialogues(Path file) throws IOException {
    try (var lines = lines(file)) {
      return read(lines);
    }
  }

  /// Messages by the conversation of each line, both in the order of the file.
  ///
  /// @param blank number of messages that were skipped because they have no text: a daemon refuses
  ///   them
  record ReadConversations(Map<String, List<Event>> events, int blank) {}

  static ReadConversations conversations(Path file) throws IOException {
    int blank = 0;
    var conversations = new LinkedHashMap<String, List<Event>>();
    try (var lines = lines(file)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (!line.isBlank()) {
          JsonNode row = JSON.readTree(line);
          if (row.path("text").asText().isBlank()) {
            blank++;
            continue;
          }
          conversations
              .computeIfAbsent(row.path("conversation").asText(), _ -> new ArrayList<>())
              .add(event(row));
        }
      }
    }
    return new ReadConversations(conversations, blank);
  }

  /// Opens a text file, decompressing it when its name ends with `.gz`.
  public static BufferedReader lines(Path file) throws IOException {
    InputStream bytes = Files.newInputStream(file);
    try {
      return new BufferedReader(
          new InputStreamReader(
              file.toString().endsWith(".gz") ? new GZIPInputStream(bytes) : bytes,
              StandardCharsets.UTF_8));
    } catch (IOException e) {
      bytes.close();
      throw e;
    }
  }

  /// Size of an event as a line for `memory ingest`, without an event id.
  public static long jsonBytes(Event event) {
    return json(fields(event)).getBytes(StandardCharsets.UTF_8).length + 1L;
  }

  /// An event as such a line, with its position if it has one.
  public static String lineWithoutId(Event event) {
    return json(fields(event));
  }

  /// An event as a line for `memory ingest`, with its id.
  public static String line(Event event) {
    Map<String, Object> fields = fields(event);
    fields.put("event_id", event.id().value());
    return json(fields);
  }

  private static Map<String, Object> fields(Event event) {
    var line = new LinkedHashMap<String, Object>();
    line.put("session_id", event.session().value());
    line.put("timestamp_ms", event.timestamp().toEpochMilli());
    line.put("event_type", event.type().name().toLowerCase(Locale.ROOT));
    line.put("role", event.role().name().toLowerCase(Locale.ROOT));
    line.put("text", event.text());
    if (!event.metadata().isEmpty()) {
      line.put("metadata", event.metadata());
    }
    event.agent().ifPresent(agent -> line.put("agent", agent));
    if (event.position() > 0) {
      line.put("position", event.position());
    }
    return line;
  }

  private static String json(Map<String, Object> fields) {
    try {
      return JSON.writeValueAsString(fields);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The same event in another copy of its conversation, earlier in time.
  public static Event shifted(Event event, int copy, Duration back) {
    return event(
        new SessionId(event.session().value() + "#" + copy),
        event.timestamp().minus(back),
        event.type(),
        event.role(),
        event.text(),
        event.metadata(),
        event.agent());
  }

  private static List<Event> read(BufferedReader lines) throws IOException {
    var events = new ArrayList<Event>();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (!line.isBlank()) {
        events.add(event(JSON.readTree(line)));
      }
    }
    return events;
  }

  private static Event event(JsonNode line) {
    EventRole role = EventRole.valueOf(line.path("role").asText().toUpperCase(Locale.ROOT));
    EventType type =
        line.has("event_type")
            ? EventType.valueOf(line.path("event_type").asText().toUpperCase(Locale.ROOT))
            : role == EventRole.USER ? EventType.USER_MESSAGE : EventType.ASSISTANT_MESSAGE;
    var metadata = new TreeMap<String, String>();
    line.path("metadata")
        .properties()
        .forEach(e -> metadata.put(e.getKey(), e.getValue().asText()));
    for (String field : List.of("event_key", "speaker")) {
      if (line.has(field)) {
        metadata.put(field, line.path(field).asText());
      }
    }
    Instant time =
        line.has("timestamp_ms")
            ? Instant.ofEpochMilli(line.path("timestamp_ms").asLong())
            : Instant.parse(line.path("timestamp").asText());
    return event(
        new SessionId(line.path("session_id").asText()),
        time,
        type,
        role,
        line.path("text").asText(),
        metadata,
        Optional.of(line.path("agent").asText()).filter(name -> !name.isEmpty()));
  }

  private static Event event(
      SessionId session,
      Instant time,
      EventType type,
      EventRole role,
      String text,
      Map<String, String> metadata,
      Optional<String> agent) {
    return new Event(
        EventIds.derive(session, time, type, role, text, metadata, agent),
        session,
        time,
        type,
        role,
        text,
        metadata,
        agent);
  }
}
