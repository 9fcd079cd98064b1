package dev.agentmemory.toc.summary.extractive;

import dev.agentmemory.text.SpeakerKind;
import dev.agentmemory.text.ToolResults;
import dev.agentmemory.types.Event;
import java.util.Locale;
import java.util.Set;

/// An event as a contribution to the conversation.
///
/// @param index its place in the passage
/// @param speaker the name of who speaks, empty when only the role is known
/// @param failed whether a tool reports that it failed
record SpokenTurn(int index, String text, SpeakerKind kind, String speaker, boolean failed) {

  /// What some adapters write where a name belongs. What goes before a statement of a person
  /// without a name.
  static final String USER = "User: ";

  private static final Set<String> ROLES =
      Set.of("user", "human", "assistant", "ai", "agent", "bot", "model", "system", "tool");

  static SpokenTurn of(int index, Event event) {
    String speaker = event.metadata().getOrDefault("speaker", "").trim();
    boolean unnamed = ROLES.contains(speaker.toLowerCase(Locale.ROOT));
    return new SpokenTurn(
        index,
        event.text(),
        SpeakerKind.of(event),
        unnamed ? "" : speaker,
        ToolResults.isFailed(event));
  }

  /// The same words as an agent's.
  SpokenTurn byAgent() {
    return new SpokenTurn(index, text, SpeakerKind.ASSISTANT, "", failed);
  }

  /// Whether a person or an assistant speaks.
  boolean isSpoken() {
    return kind == SpeakerKind.PERSON || kind == SpeakerKind.ASSISTANT;
  }

  /// Whether it is a part of the conversation or of the work.
  boolean takesPart() {
    return isSpoken() || kind == SpeakerKind.TOOL;
  }

  /// An assistant at work rather than a partner in a talk.
  boolean isAgent() {
    return kind == SpeakerKind.ASSISTANT && speaker.isEmpty();
  }

  /// What goes before a statement so that a reader knows whose it is.
  String attribution() {
    if (!speaker.isEmpty()) {
      return speaker + ": ";
    }
    return kind == SpeakerKind.PERSON ? USER : "";
  }
}
