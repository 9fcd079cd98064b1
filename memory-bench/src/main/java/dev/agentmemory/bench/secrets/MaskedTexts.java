package dev.agentmemory.bench.secrets;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agentmemory.bench.data.Talk;
import dev.agentmemory.bench.result.Clock;
import dev.agentmemory.bench.result.Measured;
import dev.agentmemory.text.secret.SecretMask;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;

/// What masking of texts without secrets costs.
final class MaskedTexts {

  /// Characters of a text.
  private static final int LENGTH = 500;

  private static final int TEXTS = 2_000;
  private static final int WARM_UP = 20;
  private static final int ROUNDS = 15;
  private static final ObjectMapper JSON = new ObjectMapper();

  private MaskedTexts() {}

  /// Conversations, 500 characters each.
  static List<String> prose() {
    return cut(String.join("\n", Talk.texts(TEXTS * LENGTH / 120)));
  }

  /// The same as lines of a session log, 500 characters each.
  static List<String> json() throws JsonProcessingException {
    var random = new SplittableRandom(1);
    var lines = new StringBuilder();
    for (String text : Talk.texts(TEXTS * LENGTH / 240)) {
      lines.append(JSON.writeValueAsString(line(text, random))).append('\n');
    }
    return cut(lines.toString());
  }

  private static Map<String, Object> line(String text, SplittableRandom random) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("parentUuid", new UUID(random.nextLong(), random.nextLong()).toString());
    line.put("type", random.nextBoolean() ? "assistant" : "user");
    line.put("message", Map.of("role", "assistant", "content", List.of(content(text))));
    line.put("uuid", new UUID(random.nextLong(), random.nextLong()).toString());
    line.put("timestamp", "2026-01-02T03:04:05.678Z");
    return line;
  }

  private static Map<String, Object> content(String text) {
    Map<String, Object> content = new LinkedHashMap<>();
    content.put("type", "tool_use");
    content.put("name", "Edit");
    content.put(
        "input",
        Map.of("file_path", "/home/dev/app/src/main.go", "old_string", "\t" + text + "\n"));
    return content;
  }

  private static List<String> cut(String all) {
    var texts = new ArrayList<String>();
    for (int at = 0; at + LENGTH <= all.length() && texts.size() < TEXTS; at += LENGTH) {
      texts.add(all.substring(at, at + LENGTH));
    }
    return texts;
  }

  /// Microseconds per text, in rounds after a warm-up.
  static Measured micros(SecretMask mask, List<String> texts) {
    var micros = new ArrayList<Double>();
    for (int round = -WARM_UP; round < ROUNDS; round++) {
      Clock clock = Clock.start();
      int length = 0;
      for (String text : texts) {
        length += mask.apply(text).length();
      }
      if (length == 0) {
        throw new IllegalStateException("nothing is left of the texts");
      }
      if (round >= 0) {
        micros.add(clock.micros() / texts.size());
      }
    }
    return new Measured(micros);
  }
}
