package dev.agentmemory.testkit.fuzz;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/// Good values for the fields of requests, by the names of the fields: some that are known, and the
/// ids that a daemon has answered with.
public final class FieldValues {

  /// Beginning and length of the time in which events happen, in milliseconds.
  private static final long BEGIN = 1_772_000_000_000L;

  private static final long SPAN = 7 * 86_400_000L;

  private static final String BASE_32 = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  private static final int ULID_LENGTH = 26;
  private static final int MOST_LEARNED = 300;

  private static final List<String> TEXTS =
      List.of(
          "Why does the deployment fail every night?",
          "We decided on an exponential backoff with five attempts, because the gateway limits us.",
          "The disk is full; logs must be rotated hourly.",
          "I prefer tabs. Always run the tests before a commit.",
          "Größe und Änderung: 日本語のテキスト, العربية, 😀.",
          "```\nfun main() {}\n```\n- first\n- second");

  private static final Map<String, List<String>> KNOWN =
      Map.ofEntries(
          Map.entry(
              "query",
              List.of(
                  "deployment",
                  "\"rotated hourly\" -disk",
                  "error OR timeout",
                  "(backoff AND five) NOT logs",
                  "tag:build backoff",
                  "what did we decide last week?")),
          Map.entry("text", TEXTS),
          Map.entry("content", TEXTS),
          Map.entry("session_id", List.of("s-0", "s-1", "s-2", "s-3", "new session")),
          Map.entry("not_session_id", List.of("s-0")),
          Map.entry("content_json", List.of("{\"a\":1}", "[1,\"b\"]")),
          Map.entry("value", List.of("{\"plan\":[1,2]}", "\"x\"", "7")),
          Map.entry("key", List.of("plan", "k")),
          Map.entry("after_key", List.of("", "k")),
          Map.entry("channel", List.of("general", "build")),
          Map.entry("new_name", List.of("renamed", "later")),
          Map.entry("name", List.of("build", "w1", "w2")),
          Map.entry("workspaces", List.of("default")),
          Map.entry("agent", List.of("claude", "codex")),
          Map.entry("agents", List.of("claude", "codex")),
          Map.entry("source", List.of("cli", "hook")),
          Map.entry("user", List.of("ada")),
          Map.entry("tags", List.of("build", "db")),
          Map.entry("without_tags", List.of("old")),
          Map.entry("values", List.of("build", "db")),
          Map.entry("topic", List.of("nothing of this kind")),
          Map.entry("reason", List.of("because it is wrong")),
          Map.entry("description", List.of("what is built")),
          Map.entry("parent_id", List.of("")),
          Map.entry("continuation_token", List.of("")),
          Map.entry("job_name", List.of("toc_rollup_day", "segment_flush", "outbox_trim")),
          Map.entry(
              "lines",
              List.of(
                  "{\"kind\":\"fact\",\"content\":\"The port is 7001.\"}",
                  "{\"content\":\"A line of another program.\",\"tags\":[\"a\"]}")));

  /// Fields of responses that do not become values of requests.
  private static final Set<String> NOT_LEARNED =
      Set.of("text", "content", "query", "lines", "value");

  private final Map<String, List<String>> values = new TreeMap<>(KNOWN);

  /// @param directory a place for backups
  public FieldValues(String directory) {
    values.put("directory", List.of(directory));
    // A key file that does not exist would refuse every backup.
    values.put("key_file", List.of(""));
  }

  /// Takes the short texts of responses as values of the fields of these names.
  public void learn(Iterable<? extends Message> responses) {
    Map<String, Set<String>> learned = new HashMap<>();
    responses.forEach(response -> collect(response, learned));
    learned.forEach((name, found) -> {
      var all = new ArrayList<>(values.getOrDefault(name, List.of()));
      found.stream().filter(value -> !all.contains(value)).limit(MOST_LEARNED).forEach(all::add);
      values.put(name, List.copyOf(all));
      // A list of ids is named after its elements.
      values.putIfAbsent(name + "s", List.copyOf(all));
    });
  }

  private static void collect(Message message, Map<String, Set<String>> learned) {
    message
        .getAllFields()
        .forEach((field, value) -> {
          if (field.isMapField()) {
            return;
          }
          for (Object one : value instanceof List<?> list ? list : List.of(value)) {
            if (one instanceof Message part) {
              collect(part, learned);
            } else if (one instanceof String text
                && text.length() <= 200
                && !NOT_LEARNED.contains(field.getName())) {
              learned.computeIfAbsent(field.getName(), _ -> new TreeSet<>()).add(text);
            }
          }
        });
  }

  String text(FieldDescriptor field, RandomGenerator random) {
    String name = field.getName();
    boolean ofNewEvent =
        name.equals("event_id") && field.getContainingType().getName().equals("Event");
    List<String> all = values.getOrDefault(name, List.of());
    if (ofNewEvent || all.isEmpty()) {
      return name.endsWith("_id") || name.endsWith("_ids") ? ulid(random) : "plain";
    }
    return all.get(random.nextInt(all.size()));
  }

  static long number(String name, RandomGenerator random) {
    if (name.equals("half_life_ms")) {
      return random.nextLong(3_600_000, 86_400_000);
    }
    if (name.endsWith("_ms")) {
      return BEGIN + random.nextLong(SPAN);
    }
    if (name.contains("budget")) {
      return random.nextInt(200, 4_000);
    }
    return name.contains("depth") ? random.nextInt(1, 3) : random.nextInt(1, 20);
  }

  private static String ulid(RandomGenerator random) {
    var text = new StringBuilder("01");
    while (text.length() < ULID_LENGTH) {
      text.append(BASE_32.charAt(random.nextInt(BASE_32.length())));
    }
    return text.toString();
  }
}
