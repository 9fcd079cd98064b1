package dev.agentmemory.toc.summary.extractive;

import dev.agentmemory.text.Slice;
import dev.agentmemory.text.Voice;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Finds what an agent wrote of its own work: the message of a commit that it made, in the command
/// or in what git reports of it.
final class CommitMessages {

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

  private CommitMessages() {}

  /// The message in a tool's turn; empty when the tool failed or did not commit.
  static Optional<Slice> of(SpokenTurn turn) {
    if (turn.voice() != Voice.TOOL || turn.failed()) {
      return Optional.empty();
    }
    String text = turn.text();
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
