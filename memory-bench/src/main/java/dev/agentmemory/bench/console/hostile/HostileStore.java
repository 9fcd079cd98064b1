package dev.agentmemory.bench.console.hostile;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentmemory.bench.console.page.ConsoleCalls;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// Puts each hostile text into every field that a client can set. A field that the daemon refuses
/// gets the text without what it may not have; if that is refused, too, the refusal is counted.
final class HostileStore {

  /// One session has all of the texts.
  static final String ALL = "hostile-all";

  /// The texts are spread over so many days.
  static final int DAYS = 20;

  private static final JsonMapper JSON = new JsonMapper();
  private static final int SESSION_BYTES = 200;
  private static final int NAME_BYTES = 120;
  private static final int VALUE_UNITS = 2000;
  private static final int DESCRIPTION_UNITS = 900;
  private static final int INJECTION_UNITS = 200_000;

  /// Keys of metadata that pages show.
  private static final List<String> SHOWN =
      List.of("tool", "tool_input", "reason", "speaker", "origin", "kind", "failed", "text_bytes");

  private final ConsoleCalls calls;
  private final Instant first;
  private final Map<String, Integer> stored = new TreeMap<>();
  private final Map<String, Integer> refused = new TreeMap<>();
  private final List<String> sessions = new ArrayList<>();
  private final List<String> memories = new ArrayList<>();
  private final List<String> events = new ArrayList<>();
  private int ids;

  /// @param first the beginning of the first day that has some
  HostileStore(ConsoleCalls calls, Instant first) {
    this.calls = calls;
    this.first = first;
  }

  /// How often each field was stored.
  Map<String, Integer> stored() {
    return stored;
  }

  /// How often each field was refused.
  Map<String, Integer> refused() {
    return refused;
  }

  /// The sessions that have hostile names.
  List<String> sessions() {
    return sessions;
  }

  List<String> memories() {
    return memories;
  }

  /// Ids of events, one for each text.
  List<String> events() {
    return events;
  }

  void add(int number, String text) throws IOException, InterruptedException {
    Instant time = first.plus(Duration.ofDays(number % DAYS)).plusSeconds(100L * number);
    String session = session(number, text, time);
    sessions.add(session);
    event(ALL, number, text, time.plusSeconds(1), "user");
    event(session, number, text, time.plusSeconds(2), "tool");
    event(session, number, text, time.plusSeconds(3), "assistant");
    injection(session, text);
    if (number % 2 == 0) {
      injection(ALL, text);
    }
    memory(number, session, text);
    note(session, text);
    names(number, session, text);
  }

  /// A session whose name is the text, as far as a name may have it.
  private String session(int number, String text, Instant time)
      throws IOException, InterruptedException {
    String plain = "hostile-" + number;
    for (String name : List.of(HostileTexts.name(text, SESSION_BYTES) + " " + number, plain)) {
      Map<String, Object> event = fields(name, number, text, time, "user");
      if (sent("session id", "memory.MemoryService/IngestEvent", Map.of("event", event))) {
        return name;
      }
    }
    return plain;
  }

  private void event(String session, int number, String text, Instant time, String role)
      throws IOException, InterruptedException {
    Map<String, Object> event = fields(session, number, text, time, role);
    String what = "event text of " + role;
    if (!sent(what, "memory.MemoryService/IngestEvent", Map.of("event", event))) {
      event.put("text", HostileTexts.name(text, VALUE_UNITS));
      var _ = sent(what, "memory.MemoryService/IngestEvent", Map.of("event", event));
    }
    if (session.equals(ALL)) {
      events.add(String.valueOf(event.get("eventId")));
    }
  }

  private Map<String, Object> fields(
      String session, int number, String text, Instant time, String role) {
    Map<String, Object> event = new HashMap<>();
    event.put("eventId", String.format(Locale.ROOT, "01KES0P0X2%016d", ids++));
    event.put("sessionId", session);
    event.put("timestampMs", Long.toString(time.toEpochMilli()));
    event.put("text", text);
    event.put("agent", HostileTexts.name(text, NAME_BYTES));
    event.put(
        "role",
        switch (role) {
          case "tool" -> "EVENT_ROLE_TOOL";
          case "assistant" -> "EVENT_ROLE_ASSISTANT";
          default -> "EVENT_ROLE_USER";
        });
    event.put(
        "eventType",
        switch (role) {
          case "tool" -> "EVENT_TYPE_TOOL_RESULT";
          case "assistant" -> "EVENT_TYPE_ASSISTANT_MESSAGE";
          default -> "EVENT_TYPE_USER_MESSAGE";
        });
    String value = HostileTexts.cut(text, VALUE_UNITS);
    Map<String, String> metadata = new LinkedHashMap<>();
    metadata.put(HostileTexts.name(text, NAME_BYTES), value);
    for (String key : SHOWN) {
      boolean tool = key.startsWith("tool") || key.equals("failed") || key.equals("text_bytes");
      if (tool == role.equals("tool")) {
        metadata.put(key, value);
      }
    }
    if (number % 7 == 0 && role.equals("user")) {
      metadata.put("parent_session", HostileTexts.name(text, SESSION_BYTES));
    }
    event.put("metadata", metadata);
    return event;
  }

  private void injection(String session, String text) throws IOException, InterruptedException {
    var _ =
        sent(
            "injection text",
            "memory.RecallService/RecordInjection",
            Map.of(
                "sessionId",
                session,
                "moment",
                "INJECTION_MOMENT_PROMPT",
                "source",
                "INJECTION_SOURCE_EVIDENCE",
                "text",
                HostileTexts.cut(text, INJECTION_UNITS)));
  }

  private void memory(int number, String session, String text)
      throws IOException, InterruptedException {
    Map<String, Object> memory = new HashMap<>();
    String id = String.format(Locale.ROOT, "01KES0P0X3%016d", number);
    memory.put("memoryId", id);
    memory.put("content", text);
    memory.put("contentJson", json(Map.of(text.isEmpty() ? "x" : HostileTexts.cut(text, 100), 1)));
    memory.put("source", HostileTexts.name(text, NAME_BYTES));
    memory.put("sessionId", session);
    memory.put("evidenceEventIds", List.of(events.getLast()));
    Map<String, ?> request = Map.of("memories", List.of(memory));
    if (!sent("memory", "memory.RecallService/Remember", request)) {
      memory.remove("contentJson");
      memory.put("content", HostileTexts.name(text, VALUE_UNITS));
      var _ = sent("memory, plain", "memory.RecallService/Remember", request);
    }
    memories.add(id);
    memory.put("tags", List.of(HostileTexts.cut(text, 60)));
    memory.remove("memoryId");
    var _ = sent("tag", "memory.RecallService/Remember", request);
    if (number % 10 == 0) {
      var _ =
          sent(
              "memory, changed",
              "memory.RecallService/UpdateMemory",
              Map.of("memoryId", id, "content", "changed " + HostileTexts.cut(text, VALUE_UNITS)));
    }
  }

  private void note(String session, String text) throws IOException, InterruptedException {
    var _ =
        sent(
            "working note",
            "memory.RecallService/WriteScratchpad",
            Map.of(
                "sessionId",
                session,
                "key",
                HostileTexts.name(text, NAME_BYTES),
                "value",
                json(Map.of("x", HostileTexts.cut(text, VALUE_UNITS)))));
  }

  private void names(int number, String session, String text)
      throws IOException, InterruptedException {
    String name = HostileTexts.name(text, 60);
    var _ = sent("workspace name", "memory.WorkspaceService/CreateWorkspace", Map.of("name", name));
    var _ = sent("channel name", "memory.RecallService/CreateChannel", Map.of("name", name));
    if (number % 20 == 0) {
      var _ =
          sent(
              "channel description",
              "memory.RecallService/CreateChannel",
              Map.of(
                  "name",
                  "channel-" + number,
                  "description",
                  HostileTexts.cut(text, DESCRIPTION_UNITS)));
    }
    var _ =
        sent(
            "user of a conversation",
            "memory.RecallService/StartConversation",
            Map.of("sessionId", session, "user", HostileTexts.name(text, NAME_BYTES)));
  }

  private static String json(Object value) throws JsonProcessingException {
    return JSON.writeValueAsString(value);
  }

  /// @return whether it was stored
  private boolean sent(String field, String method, Map<String, ?> request)
      throws IOException, InterruptedException {
    ConsoleCalls.Answer answer = calls.attempt(method, HostileTexts.ascii(json(request)));
    if (answer.isGood()) {
      stored.merge(field, 1, Integer::sum);
      return true;
    }
    if (answer.status() >= 500) {
      throw new IllegalStateException(method + ": " + answer.status() + " " + answer.body());
    }
    JsonNode error = answer.body().path("error");
    refused.merge(
        field + " (" + error.path("field").asText(error.path("code").asText()) + ")",
        1,
        Integer::sum);
    return false;
  }
}
