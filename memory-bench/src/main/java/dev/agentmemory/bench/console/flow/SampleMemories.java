package dev.agentmemory.bench.console.flow;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// Memories of which the words are known, as lines for `memory memories import`.
final class SampleMemories {

  /// Was true until it was replaced by [#CURRENT].
  static final String FORMER = "01KES0P0X0000000000000000A";

  /// Rests on [SampleSessions#QUEUE_EVENT].
  static final String CURRENT = "01KES0P0X0000000000000000B";

  static final String FORMER_TEXT = "The import queue of Falcon holds 512 entries.";

  /// Memories of each tag.
  static final int OF_A_TAG = 3;

  private static final Duration AGE = Duration.ofDays(40);
  private static final Duration REPLACED = Duration.ofDays(20);
  private static final JsonMapper JSON = new JsonMapper();

  private SampleMemories() {}

  /// A tag of three memories.
  ///
  /// @param use such as `change`
  static String tag(String use, String way) {
    return "console." + use + "." + way;
  }

  /// When [#CURRENT] replaced [#FORMER].
  static Instant replaced(Instant now) {
    return now.minus(REPLACED);
  }

  static List<String> lines(Instant now) throws IOException {
    Instant made = now.minus(AGE);
    List<String> lines = new ArrayList<>();
    lines.add(
        line(
            FORMER,
            FORMER_TEXT,
            "console.truth",
            made,
            Map.of("superseded_at_ms", replaced(now).toEpochMilli(), "superseded_by", CURRENT)));
    lines.add(
        line(
            CURRENT,
            SampleSessions.QUEUE,
            "console.truth",
            replaced(now),
            Map.of(
                "kind",
                "decision",
                "importance",
                0.9,
                "evidence_events",
                List.of(SampleSessions.QUEUE_EVENT),
                "session",
                SampleSessions.FALCON)));
    lines.add(line(id(1), SampleSessions.HOSTILE_TEXT, "console.hostile", made, Map.of()));
    for (String use : List.of("change", "select", "file")) {
      for (String way : List.of("mouse", "keys")) {
        for (int i = 0; i < OF_A_TAG; i++) {
          String text = "Note " + i + " about the test of " + use + " by " + way + ".";
          lines.add(line(id(lines.size()), text, tag(use, way), made.plusSeconds(i), Map.of()));
        }
      }
    }
    return lines;
  }

  static String id(int number) {
    return String.format(Locale.ROOT, "01KES0P0X1%016d", number);
  }

  /// A memory as a line of JSON.
  ///
  /// @param others fields that are not as usual
  static String line(String id, String text, String tag, Instant made, Map<String, ?> others)
      throws IOException {
    Map<String, Object> fields = new TreeMap<>();
    fields.put("record", "memory");
    fields.put("schema_version", 1);
    fields.put("id", id);
    fields.put("scope", "workspace");
    fields.put("lifetime", "long_term");
    fields.put("kind", "observation");
    fields.put("source", "user");
    fields.put("text", text);
    fields.put("importance", 0.5);
    fields.put("pinned", false);
    fields.put("tags", List.of(tag));
    fields.put("references", List.of());
    fields.put("evidence_events", List.of());
    fields.put("evidence_grips", List.of());
    for (String time : List.of("created_ms", "updated_ms", "valid_from_ms")) {
      fields.put(time, made.toEpochMilli());
    }
    fields.putAll(others);
    return JSON.writeValueAsString(fields);
  }
}
