package dev.agentmemory.toc.summary.extractive;

import dev.agentmemory.types.Event;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// An event as a contribution to the conversation.
///
/// @param index its place in the passage
/// @param speaker the name of who speaks, empty when only the role is known
record SpokenTurn(int index, String text, SpeakerRole role, String speaker) {

  /// How texts begin that a harness writes in the user's name.
  private static final List<String> INJECTED =
      List.of(
          "This session is being continued from a previous conversation",
          "Caveat: The messages below were generated",
          "Base directory for this skill",
          "Stop hook feedback");

  /// What some adapters write where a name belongs.
  private static final Set<String> ROLES =
      Set.of("user", "human", "assistant", "ai", "agent", "bot", "model", "system", "tool");

  static SpokenTurn of(int index, Event event) {
    String speaker = event.metadata().getOrDefault("speaker", "").trim();
    boolean unnamed = ROLES.contains(speaker.toLowerCase(Locale.ROOT));
    return new SpokenTurn(index, event.text(), role(event), unnamed ? "" : speaker);
  }

  private static SpeakerRole role(Event event) {
    return switch (event.type()) {
      case SESSION_START, SESSION_END, SUBAGENT_START -> SpeakerRole.NONE;
      case TOOL_RESULT -> SpeakerRole.TOOL;
      case USER_MESSAGE, ASSISTANT_MESSAGE, ASSISTANT_STOP, SUBAGENT_STOP ->
          switch (event.role()) {
            case USER -> isInjected(event.text()) ? SpeakerRole.TOOL : SpeakerRole.USER;
            case ASSISTANT -> SpeakerRole.ASSISTANT;
            case TOOL -> SpeakerRole.TOOL;
            case SYSTEM -> SpeakerRole.NONE;
          };
    };
  }

  private static boolean isInjected(String text) {
    return INJECTED.stream().anyMatch(text::startsWith);
  }

  /// Whether a person or an assistant speaks.
  boolean isSpoken() {
    return role == SpeakerRole.USER || role == SpeakerRole.ASSISTANT;
  }

  /// An assistant at work rather than a partner in a talk.
  boolean isAgent() {
    return role == SpeakerRole.ASSISTANT && speaker.isEmpty();
  }

  /// What goes before a statement so that a reader knows whose it is.
  String attribution() {
    if (!speaker.isEmpty()) {
      return speaker + ": ";
    }
    return switch (role) {
      case USER -> "User: ";
      case ASSISTANT, TOOL, NONE -> "";
    };
  }
}
