package dev.agentmemory.search.internal.text;

import dev.agentmemory.text.SpeakerKind;
import dev.agentmemory.text.injected.ReminderBlocks;
import dev.agentmemory.types.Event;
import java.util.Optional;
import java.util.stream.Collectors;

/// What of an event may stand in a context that an agent is given: nothing that the agent's program
/// wrote, also inside the text of others, and no empty lines.
public final class ShownText {

  private ShownText() {}

  /// @return empty when nothing of it may be shown
  public static Optional<String> of(Event event) {
    return switch (SpeakerKind.of(event)) {
      case PROGRAM, NONE -> Optional.empty();
      case PERSON, ASSISTANT, TOOL, COMPACTION -> {
        String said = ReminderBlocks.stripAnywhere(event.text());
        String dense =
            said.lines().filter(line -> !line.isBlank()).collect(Collectors.joining("\n")).strip();
        yield dense.isEmpty() ? Optional.empty() : Optional.of(dense);
      }
    };
  }
}
