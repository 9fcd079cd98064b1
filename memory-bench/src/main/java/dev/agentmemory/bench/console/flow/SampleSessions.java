package dev.agentmemory.bench.console.flow;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Sessions of which the words are known, as lines for `memory ingest`. Their days are counted back
/// from today, in the zone of a store that has none set.
final class SampleSessions {

  /// A session that has ended, with tool calls, a subagent and a pause.
  static final String FALCON = "falcon-1";

  static final String SUBAGENT = FALCON + ":a1";

  /// A session of the same day, which comes when that day was summarised.
  static final String LATE = "falcon-2";

  /// A session that began a few minutes ago and has not ended.
  static final String OPEN = "open-1";

  /// A session with texts that would run something if they were HTML.
  static final String HOSTILE = "hostile-1";

  /// In the other workspace.
  static final String ELSEWHERE = "elsewhere-1";

  static final String DECISION =
      "We decided to take RocksDB for Falcon because one writer thread shares the fsync among all"
          + " waiting commits.";
  static final String QUEUE = "The import queue of Falcon holds 4096 entries from now on.";
  static final String QUEUE_EVENT = "01KES0P0X00000000000000001";
  static final String ELSEWHERE_WORDS = "The marmalade service of the other workspace listens.";
  static final String HOSTILE_TEXT =
      "zanzibar <img src=x onerror=\"window.pwned=1\"><script>window.pwned=2</script>"
          + " [click](javascript:window.pwned=3) \u202egnirts\u202c end\u0007.";

  /// Events of each session that is there to be erased.
  static final int ERASED_EVENTS = 6;

  private static final JsonMapper JSON = new JsonMapper();
  private static final int BIG = 1 << 20;
  private static final Duration PAUSE = Duration.ofMinutes(40);
  private static final Duration AGE_OF_OPEN = Duration.ofMinutes(8);

  /// How many days ago [#FALCON] was.
  static final int FALCON_DAYS = 20;

  private static final int HOSTILE_DAYS = 15;
  private static final int ERASED_DAYS = 12;

  private final List<String> lines = new ArrayList<>();
  private Instant time;

  private SampleSessions(Instant time) {
    this.time = time;
  }

  /// The day of [#FALCON] and [#LATE].
  static LocalDate falconDay(Instant now) {
    return now.atZone(ZoneOffset.UTC).toLocalDate().minusDays(FALCON_DAYS);
  }

  /// The day on which [#OPEN] began.
  static LocalDate openDay(Instant now) {
    return now.minus(AGE_OF_OPEN).atZone(ZoneOffset.UTC).toLocalDate();
  }

  /// The day of [#HOSTILE].
  static LocalDate hostileDay(Instant now) {
    return now.atZone(ZoneOffset.UTC).toLocalDate().minusDays(HOSTILE_DAYS);
  }

  private static Instant morning(LocalDate day) {
    return day.atTime(9, 0).toInstant(ZoneOffset.UTC);
  }

  /// A session that is there to be erased.
  static String erased(String way) {
    return "erased-" + way;
  }

  /// All that is there at first.
  static List<String> first(Instant now) {
    var all = new SampleSessions(morning(falconDay(now)));
    all.falcon();
    all.time = morning(hostileDay(now));
    all.hostile();
    for (String way : List.of("mouse", "keys")) {
      all.time = morning(now.atZone(ZoneOffset.UTC).toLocalDate().minusDays(ERASED_DAYS));
      all.erasable(way);
    }
    all.time = now.minus(AGE_OF_OPEN);
    all.open();
    return all.lines;
  }

  /// What comes after the days were summarised.
  static List<String> late(Instant now) {
    var all = new SampleSessions(morning(falconDay(now)).plus(Duration.ofHours(6)));
    all.user(LATE, "How often does the uploader of Falcon try again?");
    all.agent(LATE, "We decided that the uploader retries four times with full jitter.");
    all.user(LATE, "And the time limit?");
    all.agent(LATE, "The time limit of an upload is thirty seconds, decided for all regions.");
    all.end(LATE);
    return all.lines;
  }

  /// What the other workspace has.
  static List<String> elsewhere(Instant now) {
    var all = new SampleSessions(morning(falconDay(now)));
    all.user(ELSEWHERE, "Where does the service listen?");
    all.agent(ELSEWHERE, ELSEWHERE_WORDS);
    all.end(ELSEWHERE);
    return all.lines;
  }

  private void falcon() {
    mark(FALCON, "session_start", Map.of("reason", "startup"));
    user(FALCON, "Let us plan the Falcon importer.");
    agent(FALCON, "First the store, then the queue, then the handling of torn lines.");
    user(FALCON, "What did the measurements of the disks say?");
    agent(FALCON, "An append with a sync takes a tenth of a millisecond on this disk.");
    user(FALCON, "Which store do we take for Falcon?");
    agent(FALCON, DECISION);
    tool(FALCON, "Bash", "{\"command\":\"ls storage\"}", "first line of the listing\nsecond line");
    user(FALCON, "What is the limit of the import queue?");
    add(FALCON, "assistant_message", "assistant", QUEUE, Map.of(), QUEUE_EVENT);
    mark(FALCON, "subagent_start", Map.of("child_session", SUBAGENT));
    mark(SUBAGENT, "session_start", Map.of("parent_session", FALCON));
    agent(SUBAGENT, "There are twelve files in the storage folder of Falcon.");
    agent(FALCON, "The subagent counted the files.");
    time = time.plus(PAUSE);
    user(FALCON, "What happens with a torn last line?");
    agent(FALCON, "We decided that the importer skips a torn last line and reports it in the log.");
    user(FALCON, "Good. Write it down.");
    agent(FALCON, "It is written down in the notes of Falcon.");
    end(FALCON);
  }

  private void hostile() {
    user(HOSTILE, HOSTILE_TEXT);
    agent(HOSTILE, "We decided to keep zanzibar bounded. " + HOSTILE_TEXT);
    user(HOSTILE, "big " + "word ".repeat((BIG - 100) / 5));
    end(HOSTILE);
  }

  private void erasable(String way) {
    String session = erased(way);
    for (int turn = 0; turn < ERASED_EVENTS; turn += 2) {
      user(session, "What about part " + turn + " of the zeppelin, by " + way + "?");
      agent(session, "We decided that part " + turn + " of the zeppelin " + way + " is blue.");
    }
  }

  private void open() {
    user(OPEN, "Which retries did we decide for the payments client?");
    agent(OPEN, "Let me look into the notes of the payments client.");
    user(OPEN, "Please do.");
  }

  private void user(String session, String text) {
    add(session, "user_message", "user", text, Map.of(), "");
  }

  private void agent(String session, String text) {
    add(session, "assistant_message", "assistant", text, Map.of(), "");
  }

  private void tool(String session, String name, String input, String result) {
    Map<String, String> told = Map.of("tool", name, "tool_input", input);
    add(session, "tool_result", "tool", result, told, "");
  }

  private void mark(String session, String type, Map<String, String> metadata) {
    add(session, type, "system", "", metadata, "");
  }

  private void end(String session) {
    mark(session, "session_end", Map.of("reason", "exit"));
  }

  /// @param id of the event; empty for one of its own
  private void add(
      String session,
      String type,
      String role,
      String text,
      Map<String, String> metadata,
      String id) {
    time = time.plusSeconds(20);
    ObjectNode line =
        JSON.createObjectNode()
            .put("session_id", session)
            .put("timestamp", time.toString())
            .put("event_type", type)
            .put("role", role)
            .put("text", text)
            .put("agent", "claude-code");
    if (!id.isEmpty()) {
      line.put("event_id", id);
    }
    metadata.forEach(line.withObject("/metadata")::put);
    lines.add(line.toString());
  }
}
