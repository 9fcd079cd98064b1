package dev.agentmemory.text;

import dev.agentmemory.types.Event;
import java.util.List;

/// Who or what speaks in an event.
public enum SpeakerKind {
  PERSON,
  ASSISTANT,
  TOOL,
  /// The program that runs an agent: reminders, commands, notifications, text that it writes in a
  /// person's name.
  PROGRAM,
  /// The summary that the program of an agent puts in place of a conversation.
  COMPACTION,
  /// Boundaries of sessions, which have no words.
  NONE;

  private static final String KIND = "kind";
  private static final String COMPACTED =
      "This session is being continued from a previous conversation";
  private static final List<String> INJECTED =
      Lexicon.beside(SpeakerKind.class, "program-texts.txt").phrases("opening");
  private static final int LONGEST_OPENING = 64;

  /// The kind of speaker of an event. An adapter of an agent says it with the role and the
  /// metadata; text that a program wrote in a person's name is also recognised by how it begins.
  public static SpeakerKind of(Event event) {
    return switch (event.type()) {
      case SESSION_START, SESSION_END, SUBAGENT_START -> NONE;
      case TOOL_RESULT -> TOOL;
      case USER_MESSAGE, ASSISTANT_MESSAGE, ASSISTANT_STOP, SUBAGENT_STOP ->
          switch (event.role()) {
            case USER -> ofPrompt(event.text(), PERSON);
            case ASSISTANT -> ASSISTANT;
            case TOOL -> TOOL;
            case SYSTEM ->
                "compaction".equals(event.metadata().get(KIND))
                    ? COMPACTION
                    : ofPrompt(event.text(), PROGRAM);
          };
    };
  }

  private static SpeakerKind ofPrompt(String text, SpeakerKind otherwise) {
    if (text.startsWith(COMPACTED)) {
      return COMPACTION;
    }
    int start = text.startsWith("[") ? 1 : 0;
    int end = Math.min(text.length(), start + LONGEST_OPENING);
    String head = Terms.fold(text.substring(start, end));
    return INJECTED.stream().anyMatch(head::startsWith) ? PROGRAM : otherwise;
  }
}
