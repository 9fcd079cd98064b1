package dev.agentmemory.agents.spool;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.agentmemory.agents.Agent;
import dev.agentmemory.agents.HookMessage;
import dev.agentmemory.agents.internal.PayloadFields;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// One file of the spool:
///
/// ```
/// memory-hook 1
/// agent=claude-code
/// event=UserPromptSubmit
/// variable.CLAUDE_PROJECT_DIR=/home/dev/project
/// bytes=17
///
/// {"prompt":"..."}
/// ```
///
/// The payload is everything behind the empty line. Its length (`bytes`) is optional, and lines
/// that are not understood are ignored. The payload has to be a complete JSON object.
public final class SpoolEntry {

  private static final String FIRST_LINE = "memory-hook ";
  private static final String VARIABLE = "variable.";
  private static final String EVENT = "event=";

  /// Bytes before the payload.
  static final int MOST_HEADER = 64 << 10;

  /// Bytes of a file in which the event stands: before it come a line and the agent.
  static final int MOST_BEFORE_EVENT = 1 << 10;

  private SpoolEntry() {}

  /// The event that a file is about, by its first bytes; empty when it is not in them.
  static String event(byte[] beginning) {
    return new String(beginning, StandardCharsets.UTF_8)
        .lines()
        .takeWhile(line -> !line.isEmpty())
        .filter(line -> line.startsWith(EVENT))
        .map(line -> line.substring(EVENT.length()))
        .findFirst()
        .orElse("");
  }

  /// Reads a file.
  ///
  /// @param received when the hook wrote it
  /// @return empty for a torn or foreign file
  public static Optional<HookMessage> parse(byte[] content, Instant received) {
    int end = headerEnd(content);
    if (end < 0) {
      return Optional.empty();
    }
    String header = new String(content, 0, end, StandardCharsets.UTF_8);
    int body = end + 2;
    Map<String, String> fields = new HashMap<>();
    Map<String, String> variables = new HashMap<>();
    header(header, fields, variables);
    String bytes = fields.getOrDefault("bytes", "");
    if (!header.startsWith(FIRST_LINE)
        || !(bytes.isEmpty() || bytes.equals(Integer.toString(content.length - body)))) {
      return Optional.empty();
    }
    String payload = new String(content, body, content.length - body, StandardCharsets.UTF_8);
    if (!isObject(payload)) {
      return Optional.empty();
    }
    return Agent.of(fields.getOrDefault("agent", ""))
        .map(agent ->
            new HookMessage(agent, fields.getOrDefault("event", ""), payload, variables, received));
  }

  /// Reads the lines before the first empty one, of a file that may be no entry.
  ///
  /// @param fields gets those that are no variables
  static void header(String text, Map<String, String> fields, Map<String, String> variables) {
    String beginning = text.substring(0, Math.min(text.length(), MOST_HEADER));
    for (String line : beginning.split("\n", -1)) {
      if (line.isEmpty()) {
        return;
      }
      int mark = line.indexOf('=');
      if (mark > 0 && line.startsWith(VARIABLE)) {
        variables.put(line.substring(VARIABLE.length(), mark), line.substring(mark + 1));
      } else if (mark > 0) {
        fields.put(line.substring(0, mark), line.substring(mark + 1));
      }
    }
  }

  /// Whether an agent has written all of it: one that is killed leaves a part.
  private static boolean isObject(String payload) {
    try (JsonParser parser = PayloadFields.JSON.createParser(payload)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return false;
      }
      parser.skipChildren();
      return parser.nextToken() == null;
    } catch (IOException e) {
      return false;
    }
  }

  private static int headerEnd(byte[] content) {
    for (int i = 0; i + 1 < Math.min(content.length, MOST_HEADER); i++) {
      if (content[i] == '\n' && content[i + 1] == '\n') {
        return i;
      }
    }
    return -1;
  }
}
