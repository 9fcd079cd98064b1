package dev.agentmemory.daemon.console;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Sessions for tests of pages: a short one with a tool call, a subagent and a pause, and a long
/// one.
final class SessionSample {

  /// Began an hour ago.
  static final String SHORT = "falcon-1";

  static final String SUBAGENT = SHORT + ":a1";
  static final String LONG = "long-1";
  static final int LONG_TURNS = 2000;

  /// A text that would run something if it were HTML, with a character that turns what follows.
  static final String HOSTILE =
      "<img src=x onerror=\"document.title='run'\"><script>document.title='run'</script>\u202Eabc";

  private static final JsonMapper JSON = new JsonMapper();
  private static final Duration PAUSE = Duration.ofMinutes(40);

  private final List<String> lines = new ArrayList<>();
  private Instant time;

  private SessionSample(Instant time) {
    this.time = time;
  }

  /// Writes lines for `memory ingest`.
  static Path write(Path file, Instant now) throws IOException {
    var sample = new SessionSample(now.minus(Duration.ofHours(2)));
    sample.longSession();
    sample.shortSession();
    return Files.write(file, sample.lines);
  }

  /// The same without the long one.
  static Path writeShort(Path file, Instant now) throws IOException {
    var sample = new SessionSample(now.minus(Duration.ofHours(2)));
    sample.shortSession();
    return Files.write(file, sample.lines);
  }

  private void longSession() {
    Instant short_ = time;
    time = time.minus(Duration.ofDays(2));
    for (int turn = 0; turn < LONG_TURNS; turn++) {
      boolean user = turn % 2 == 0;
      add(
          LONG,
          user ? "user_message" : "assistant_message",
          user ? "user" : "assistant",
          "turn number " + turn,
          Map.of());
    }
    time = short_;
  }

  private void shortSession() {
    add(SHORT, "session_start", "system", "", Map.of("reason", "startup"));
    add(SHORT, "user_message", "user", "which store do we take? " + HOSTILE, Map.of());
    add(
        SHORT,
        "assistant_message",
        "assistant",
        "We decided to take RocksDB for Falcon.",
        Map.of());
    add(
        SHORT,
        "tool_result",
        "tool",
        "first line of the listing\nsecond line",
        Map.of("tool", "Bash", "tool_input", "{\"command\":\"ls storage\"}"));
    add(SHORT, "subagent_start", "system", "", Map.of("child_session", SUBAGENT));
    add(SUBAGENT, "session_start", "system", "", Map.of("parent_session", SHORT));
    add(SUBAGENT, "assistant_message", "assistant", "There are twelve files.", Map.of());
    add(SHORT, "assistant_message", "assistant", "The subagent counted them.", Map.of());
    time = time.plus(PAUSE);
    add(SHORT, "user_message", "user", "and after the pause?", Map.of());
    add(SHORT, "assistant_message", "assistant", "We go on with the importer.", Map.of());
  }

  private void add(
      String session, String type, String role, String text, Map<String, String> metadata) {
    time = time.plusSeconds(5);
    ObjectNode line =
        JSON.createObjectNode()
            .put("session_id", session)
            .put("timestamp", time.toString())
            .put("event_type", type)
            .put("role", role)
            .put("text", text)
            .put("agent", "claude-code");
    metadata.forEach(line.withObject("/metadata")::put);
    lines.add(line.toString());
  }
}
