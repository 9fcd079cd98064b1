package dev.agentmemory.toc.summary;

import dev.agentmemory.types.Event;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// An event as a contribution to the conversation.
///
/// @param index its place in the passage
/// @param speaker the name of who speaks, empty when only the role is known
record Turn(int index, String text, Voice voice, String speaker) {

  /// How texts begin that a harness puts into the user's mouth.
  private static final List<String> INJECTED =
      List.of(
          "This session is being continued from a previous conversation",
          "Caveat: The messages below were generated",
          "Base directory for this skill",
          "Stop hook feedback");

  /// What some adapters write where a name belongs.
  private static final Set<String> ROLES =
      Set.of("user", "human", "assistant", "ai", "agent", "bot", "model", "system", "tool");

  static Turn of(int index, Event event) {
    String speaker = event.metadata().getOrDefault("speaker", "").trim();
    boolean role = ROLES.contains(speaker.toLowerCase(Locale.ROOT));
    return new Turn(index, event.text(), voice(event), role ? "" : speaker);
  }

  private static Voice voice(Event event) {
    return switch (event.type()) {
      case SESSION_START, SESSION_END, SUBAGENT_START -> Voice.NONE;
      case TOOL_RESULT -> Voice.TOOL;
      case USER_MESSAGE, ASSISTANT_MESSAGE, ASSISTANT_STOP, SUBAGENT_STOP ->
          switch (event.role()) {
            case USER -> isInjected(event.text()) ? Voice.TOOL : Voice.USER;
            case ASSISTANT -> Voice.ASSISTANT;
            case TOOL -> Voice.TOOL;
            case SYSTEM -> Voice.NONE;
          };
    };
  }

  private static boolean isInjected(String text) {
    return INJECTED.stream().anyMatch(text::startsWith);
  }

  /// Whether a person or an assistant speaks.
  boolean isSpoken() {
    return voice == Voice.USER || voice == Voice.ASSISTANT;
  }

  /// An assistant at work rather than a partner in a talk.
  boolean isAgent() {
    return voice == Voice.ASSISTANT && speaker.isEmpty();
  }

  /// What goes before a statement so that a reader knows whose it is.
  String attribution() {
    if (!speaker.isEmpty()) {
      return speaker + ": ";
    }
    return switch (voice) {
      case USER -> "User: ";
      case ASSISTANT, TOOL, NONE -> "";
    };
  }
}
