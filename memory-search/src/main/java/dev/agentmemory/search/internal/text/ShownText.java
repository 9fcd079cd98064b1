package dev.agentmemory.search.internal.text;

import dev.agentmemory.text.SpeakerKind;
import dev.agentmemory.types.Event;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// What of an event may stand in a context that an agent is given: nothing that the agent's program
/// wrote, also inside the text of others, and no empty lines.
public final class ShownText {

  /// A reminder that is never closed was cut off, so it goes on to the end.
  private static final Pattern REMINDER =
      Pattern.compile("(?s)<(system-reminder|system_reminder|hook_context)\\b.*?(?:</\\1>|\\z)");

  private ShownText() {}

  /// @return empty when nothing of it may be shown
  public static Optional<String> of(Event event) {
    return switch (SpeakerKind.of(event)) {
      case PROGRAM, NONE -> Optional.empty();
      case PERSON, ASSISTANT, TOOL, COMPACTION -> {
        String said = REMINDER.matcher(event.text()).replaceAll("");
        String dense =
            said.lines().filter(line -> !line.isBlank()).collect(Collectors.joining("\n")).strip();
        yield dense.isEmpty() ? Optional.empty() : Optional.of(dense);
      }
    };
  }
}
