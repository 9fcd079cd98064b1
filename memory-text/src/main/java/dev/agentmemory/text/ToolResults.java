package dev.agentmemory.text;

import dev.agentmemory.types.Event;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads what tools return.
public final class ToolResults {

  private static final int COMMAND = 4000;
  private static final Pattern MESSAGE =
      Pattern.compile(
          "\\bgit\\b[^\\n]*\\bcommit\\b[^\\n]*?\\s-\\w*m\\s*"
              + "(?:\"\\$\\(cat <<-?\\s*['\"]?(\\w+)['\"]?\\n(.*?)\\n\\s*\\1\\b"
              + "|\"((?:[^\"\\\\$]|\\\\.)*)\""
              + "|'([^']*)')",
          Pattern.DOTALL);
  private static final Pattern REPORTED =
      Pattern.compile("^\\[[^\\]\\n]+ [0-9a-f]{7,40}\\] (.+)$", Pattern.MULTILINE);

  private ToolResults() {}

  /// Whether the adapter of an agent says that a tool failed.
  public static boolean isFailed(Event event) {
    return isTrue(event, "failed") || isTrue(event, "error");
  }

  private static boolean isTrue(Event event, String key) {
    return "true".equals(event.metadata().get(key));
  }

  /// The message of a commit that was made with a tool: in the command, if the text begins with it,
  /// else its subject in what git reports. It is the agent's own account of its work.
  public static Optional<Slice> commitMessage(String text) {
    int line = text.indexOf('\n');
    int commit = text.indexOf("commit");
    if (commit >= 0 && (line < 0 || commit < line)) {
      Matcher message = MESSAGE.matcher(text).region(0, Math.min(text.length(), COMMAND));
      if (message.find()) {
        int group = message.group(2) != null ? 2 : message.group(3) != null ? 3 : 4;
        return Optional.of(new Slice(message.start(group), message.end(group)));
      }
    }
    Matcher reported = REPORTED.matcher(text);
    return text.indexOf('[') >= 0 && reported.find()
        ? Optional.of(new Slice(reported.start(1), reported.end(1)))
        : Optional.empty();
  }
}
