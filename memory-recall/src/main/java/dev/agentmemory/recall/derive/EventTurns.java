package dev.agentmemory.recall.derive;

import dev.agentmemory.recall.extract.TurnSpeaker;
import dev.agentmemory.text.TextResource;
import dev.agentmemory.types.Event;
import java.util.List;

/// Determines who wrote the text of an event. Only what persons and assistants wrote is extracted
/// from, and adapters send texts in their names that nobody wrote: instruction files, reminders,
/// summaries of earlier sessions, output of hooks.
final class EventTurns {

  /// How texts begin that the agent program writes in the user's name.
  private static final List<String> PROGRAM =
      TextResource.beside(EventTurns.class, "program-texts.txt")
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#:"))
          .toList();

  private EventTurns() {}

  static TurnSpeaker speaker(Event event) {
    return switch (event.type()) {
      case SESSION_START, SESSION_END, SUBAGENT_START -> TurnSpeaker.PROGRAM;
      case TOOL_RESULT -> TurnSpeaker.TOOL;
      case USER_MESSAGE, ASSISTANT_MESSAGE, ASSISTANT_STOP, SUBAGENT_STOP ->
          switch (event.role()) {
            case USER -> isOfProgram(event.text()) ? TurnSpeaker.PROGRAM : TurnSpeaker.PERSON;
            case ASSISTANT -> TurnSpeaker.ASSISTANT;
            case TOOL -> TurnSpeaker.TOOL;
            case SYSTEM -> TurnSpeaker.PROGRAM;
          };
    };
  }

  private static boolean isOfProgram(String text) {
    String begin = text.stripLeading();
    return PROGRAM.stream().anyMatch(begin::startsWith);
  }
}
